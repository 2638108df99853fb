// cp.async: from global to shared memory without passing through registers.
#pragma once

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/recorder/refusal.hpp>

namespace tg {

namespace diagnosis {

template <bool Ok, class Facts = void> struct copied_bytes {
  static_assert(Ok,
                "TG142: an asynchronous copy moves 4, 8 or 16 bytes between elements, or vectors of them, of one type; structs "
                "of these sizes that are aligned to them too");
};

}  // namespace diagnosis

namespace detail {

// What can be copied from and to.
template <class X> struct copied {
  using type = void;
  static constexpr int count = 0;
};
template <class T, mode M> struct copied<element<T, M>> {
  using type = T;
  static constexpr int count = 1;
};
template <class T, class Form> struct copied<known_element<T, Form>> : copied<element<T, mode::read>> {};
template <class T, int N, mode M> struct copied<vector_element<T, N, M>> {
  using type = T;
  static constexpr int count = N;
};
// A struct that moves in one piece.
template <class X> requires requires { typename X::struct_type; }
struct copied<X> {
  using type = typename X::struct_type;
  static constexpr int count = decltype(typename X::place_type{}.entries)::size() == 1;
};
template <class X> inline constexpr int copied_bytes = copied<X>::count * static_cast<int>(sizeof(typename copied<X>::type));

template <class To, class From> constexpr auto check_copy() {
  using to = copied<To>;
  using from = copied<From>;
  if constexpr (!std::is_same_v<typename to::type, typename from::type> || to::count != from::count || to::count == 0) {
    return std::type_identity<diagnosis::copied_bytes<false, diagnosis::types<To, From>>>{};
  } else {
    constexpr int size = copied_bytes<To>;
    return std::type_identity<diagnosis::copied_bytes<size == 4 || size == 8 || size == 16, diagnosis::bytes<size>>>{};
  }
}

inline const place& place_of(const place& p) { return p; }
inline place place_of(const struct_place<1>& p) {
  place out = p.at;
  out.entry = p.entries[0];
  return out;
}

/// Copies so many bytes, of which `read` are read and the rest becomes 0; no operand: all are read. Errors: TG142.
void copy_async(const place& to, const place& from, int bytes, const ptx::operand& read, source_location where);

template <class To, class From>
void copy_async(const To& to, const From& from, const ptx::operand& read, source_location where) {
  copy_async(place_of(to.where()), place_of(from.where()), copied_bytes<To>, read, where);
}

}  // namespace detail

/// Begins a copy to an element, struct or vector of a tile from one of a view: `tg::async_copy(tile.vec<4>(row, col),
/// x.vec<4>(i))`. It is there after a wait for its group (`tg::async_groups`); other threads see it after a barrier that
/// follows. Requires: 4, 8 or 16 bytes; both sides are judged where they are written, vectors for alignment too. Errors: TG142,
/// and those of the two accesses. PTX: cp.async.ca.shared.global, cp.async.cg for 16 bytes; sm_80.
template <class To, class From>
void async_copy(const To& to, const From& from, source_location where = source_location::current()) {
  using found = typename decltype(detail::check_copy<To, From>())::type;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) detail::copy_async(to, from, {}, where);
}

/// Copies as async_copy does where the condition holds; elsewhere zeros are written and nothing is read, as the edge of a
/// matrix needs it.
template <class To, class From, device_value C>
void async_copy_or_zero(const To& to, const From& from, const C& condition,
                        source_location where = source_location::current()) {
  using found = typename decltype(detail::check_copy<To, From>())::type;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    const ptx::operand read = detail::tracer::current(where).compute(
        ptx::token::b32, ptx::operation::select(ptx::token::b32),
        {ptx::operand::integer(detail::copied_bytes<To>), ptx::operand::integer(0), detail::condition_of(condition)});
    detail::copy_async(to, from, read, where);
  }
}

}  // namespace tg
