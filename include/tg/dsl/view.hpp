// Views: what a kernel sees of the buffers it is launched with.
#pragma once

#include <tg/dsl/element_address.hpp>
#include <tg/dsl/judge.hpp>

namespace tg {

/// Alignment in bytes that a view promises for its first element; checked at launch.
template <int Bytes>
struct aligned {
  static_assert(Bytes > 0 && (Bytes & (Bytes - 1)) == 0, "TG126: an alignment is a power of two");
  static constexpr int bytes = Bytes;
};

/// Contract of a scalar parameter or a leading dimension: the analysis relies on it and the launch checks it.
template <long long N>
struct multiple_of {
  static_assert(N > 0, "TG126: tg::multiple_of needs a positive number");
  static constexpr long long value = N;
};

namespace detail {

// What a contract promises; a contract that is itself refused promises nothing, so that its error is the only one.
template <class Contract> inline constexpr long long promised = 1;
template <int Bytes>
inline constexpr long long promised<aligned<Bytes>> = Bytes > 0 && (Bytes & (Bytes - 1)) == 0 ? Bytes : 16;
template <long long N> inline constexpr long long promised<multiple_of<N>> = N > 0 ? N : 1;

/// C++ integers and constants are immediates and count as unsigned.
template <index_like X>
index_operand to_index(const X& x) {
  constexpr ptx::token type = compute_type<index_type<X>>;
  if constexpr (device_value<X>) return {x.get().operand, type};
  else if constexpr (is_data_index<X>) return {x.operand, type};
  else if constexpr (is_constant<X>) return {ptx::operand::integer(X::value), type};
  else return {ptx::operand::integer(static_cast<std::int64_t>(x)), type};
}

}  // namespace detail

/// A buffer of T as a parameter of a kernel: `x(i)`, `a(row, col)`, `x.vec<4>(i)`. Indices have 32 or 64 bits, addresses
/// are exact in 64. Rank 2 has a leading dimension known at run time. Reads of a read-only view go through the non-coherent path.
/// Errors: TG105, TG106, TG116, TG202 to TG204.
/// PTX: ld.global(.nc), st.global.
template <scalar_type T, mode Mode, int Rank, class Align, class Leading>
class view : public detail::read_by_call<view<T, Mode, Rank, Align, Leading>> {
  using element_t = tg::element<T, Mode>;

 public:
  using element_type = T;
  static constexpr int rank = Rank;
  static constexpr mode access = Mode;
  using contract = Align;
  static constexpr int alignment_bytes = detail::promised<Align>;
  static constexpr long long leading_multiple_of = detail::promised<Leading>;
  static_assert(sizeof(Align) != 0 && sizeof(Leading) != 0);

  view(int number, ptx::operand base, ptx::operand leading) : number_(number), base_(base), leading_(leading) {}
  view(const view&) = default;

  // Errors: TG127.
  void operator=(const view&) { (void)sizeof(diagnosis::fixed_handle<sizeof(T) == 0, view>); }

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    using found = judged<1, Excuse, I>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return element_t(find<1, Excuse>(where, excuse.reason, i));
    else return element_t({});
  }
  template <index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const R& row, const C& column, Excuse excuse = {},
                       source_location where = source_location::current()) const {
    using found = judged<1, Excuse, R, C>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return element_t(find<1, Excuse>(where, excuse.reason, row, column));
    else return element_t({});
  }

  /// N consecutive elements from element `i` on, in one instruction. Errors: TG111, TG203.
  template <int N, index_like I, detail::excuse_like Excuse = detail::checked>
  vector_element<T, N, Mode> vec(const I& i, Excuse excuse = {},
                                 source_location where = source_location::current()) const {
    using found = judged<N, Excuse, I>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return vector_element<T, N, Mode>(find<N, Excuse>(where, excuse.reason, i));
    else return vector_element<T, N, Mode>({});
  }
  template <int N, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  vector_element<T, N, Mode> vec(const R& row, const C& column, Excuse excuse = {},
                                 source_location where = source_location::current()) const {
    using found = judged<N, Excuse, R, C>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return vector_element<T, N, Mode>(find<N, Excuse>(where, excuse.reason, row, column));
    else return vector_element<T, N, Mode>({});
  }

 private:
  template <int N, class Excuse, class... I>
  using judged = typename detail::global_judgement<view, N, Excuse, I...>::type;

  template <int N, class Excuse, class... I>
  detail::place find(source_location where, const char* reason, const I&... indices) const {
    auto& t = detail::tracer::current(where);
    t.at(where);
    const detail::index_operand at[] = {detail::to_index(indices)...};
    tg::access entry = detail::judge_global<view, Excuse, N, I...>(at, where);
    entry.reason = reason;
    entry.parameter = number_;
    return {address(t, at), ptx::token::global, Mode == mode::read ? ptx::token::nc : ptx::token::none, entry};
  }

  ptx::operand address(detail::tracer& t, const detail::index_operand (&at)[Rank]) const {
    detail::element_address out(t, base_);
    out.add(at[Rank - 1].operand, at[Rank - 1].type, sizeof(T));
    if constexpr (Rank == 2) out.add(at[0].operand, at[0].type, leading_, ptx::token::u32);
    return out.get();
  }

  int number_;
  ptx::operand base_;
  ptx::operand leading_;
};

using default_alignment = aligned<16>;

/// Read-only, not aliased by anything the kernel writes.
template <class T, class Align = default_alignment> using in = view<T, mode::read, 1, Align, multiple_of<1>>;
/// Write-only.
template <class T, class Align = default_alignment> using out = view<T, mode::write, 1, Align, multiple_of<1>>;
/// Read and written.
template <class T, class Align = default_alignment> using inout = view<T, mode::read_write, 1, Align, multiple_of<1>>;
/// Rows × columns, the leading dimension known at run time; `tg::in2<float, tg::multiple_of<4>>` promises a divisor.
template <class T, class Leading = multiple_of<1>, class Align = default_alignment>
using in2 = view<T, mode::read, 2, Align, Leading>;
template <class T, class Leading = multiple_of<1>, class Align = default_alignment>
using out2 = view<T, mode::write, 2, Align, Leading>;
template <class T, class Leading = multiple_of<1>, class Align = default_alignment>
using inout2 = view<T, mode::read_write, 2, Align, Leading>;

}  // namespace tg
