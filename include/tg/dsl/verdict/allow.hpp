// Excuses, with a reason.
#pragma once

#include <tg/base/fixed_string.hpp>

namespace tg {

// The findings that can be excused, by the name that the compiler prints.
/// The name of a bank conflict of shared memory, for `tg::allow`.
inline constexpr int TG201 = 201;  // shared memory bank conflict
/// The name of an uncoalesced global access, for `tg::allow`.
inline constexpr int TG202 = 202;  // uncoalesced global access

/// Second argument of an access: `x(i * 2_c, tg::allow<tg::TG202>("one row per launch, not hot"))`.
template <int Code> struct allow {
  const char* reason;

  static_assert(Code == TG201 || Code == TG202, "TG205: only TG201 and TG202 can be allowed");

  /// Requires: a reason that says something.
  template <std::size_t N> consteval explicit allow(const char (&text)[N]) : reason(text) {
    static_assert(N > 1, "TG206: tg::allow needs a reason");
  }
};

namespace detail {

/// The access is checked in full.
struct checked { static constexpr const char* reason = ""; };
template <class Excuse> inline constexpr int excused_code = 0;
template <int Code> inline constexpr int excused_code<allow<Code>> = Code;
// Another code is refused where it is written.
template <class Excuse>
inline constexpr bool is_excuse = excused_code<Excuse> == 0 || excused_code<Excuse> == TG201 || excused_code<Excuse> == TG202;

/// The optional last argument of an access.
template <class X> inline constexpr bool is_excuse_type = false;
template <> inline constexpr bool is_excuse_type<checked> = true;
template <int Code> inline constexpr bool is_excuse_type<allow<Code>> = true;
template <class X>
concept excuse_like = is_excuse_type<X>;

}  // namespace detail

}  // namespace tg
