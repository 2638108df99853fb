// Views: what a kernel sees of the buffers it is launched with.
#pragma once

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

template <class X>
ptx::token widening(const X&) {
  if constexpr (requires { typename X::device_type; }) return compute_type<typename X::device_type>;
  else return ptx::token::u32;
}

/// One index as a value: C++ integers and constants count as unsigned.
template <index_like X>
auto to_index(const X& x) {
  if constexpr (device_value<X>) {
    return x.get();
  } else if constexpr (is_constant<X>) {
    return value<unsigned, index::number<X::value>>{ptx::operand::integer(X::value)};
  } else {
    return value<unsigned, index::traced>{ptx::operand::integer(static_cast<std::int64_t>(x))};
  }
}

template <scalar_type T>
linear_index<index::data, true> to_linear(const data_index<T>& x) { return {x.operand, compute_type<T>}; }
template <index_like X> requires (!is_data_index<X>)
auto to_linear(const X& x) {
  const auto v = to_index(x);
  return linear_index<typename decltype(v)::form, false>{v.operand, compute_type<typename decltype(v)::device_type>};
}

/// row * pitch + column in 32 bits, where the pitch is an immediate or a register with the given form.
template <class Pitch, class R, class C>
auto to_linear(ptx::operand pitch, const R& row, const C& column) {
  const auto part = [](const auto& x) {
    if constexpr (is_data_index<std::remove_cvref_t<decltype(x)>>) return x;
    else return to_index(x);
  };
  const auto r = part(row);
  const auto c = part(column);
  constexpr bool gathered = is_data_index<R> || is_data_index<C>;
  constexpr auto form = []<class A, class B>(const A&, const B&) {
    if constexpr (gathered) return std::type_identity<index::data>{};
    else return std::type_identity<index::plus<index::times<typename A::form, Pitch>, typename B::form>>{};
  };
  auto& t = tracer::current();
  const bool is_signed = widening(r) == ptx::token::s32 || widening(c) == ptx::token::s32;
  const ptx::token type = is_signed ? ptx::token::s32 : ptx::token::u32;
  const ptx::operand offset = t.compute(ptx::token::b32, ptx::opcode::mul, {ptx::token::lo, type}, {r.operand, pitch});
  return linear_index<typename decltype(form(r, c))::type, gathered>{
      t.compute(ptx::token::b32, ptx::opcode::add, {type}, {offset, c.operand}), type};
}

}  // namespace detail

/// A buffer of T as a parameter of a kernel: `x(i)`, `a(row, col)`, `x.vec<4>(i)`. Rank 2 has a leading dimension known
/// at run time. Reads of a read-only view go through the non-coherent path.
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
    const auto linear = [&] {
      if constexpr (Rank == 2)
        return detail::to_linear<index::single<index::uniform<leading_multiple_of>>>(leading_, indices...);
      else return detail::to_linear(indices...);
    }();
    tg::access entry = detail::judge_global<Excuse, sizeof(T), N * int(sizeof(T)), alignment_bytes>(linear, where);
    entry.reason = reason;
    entry.parameter = number_;
    return {address(t, linear.operand, linear.type), ptx::token::global,
            Mode == mode::read ? ptx::token::nc : ptx::token::none, entry};
  }

  ptx::operand address(detail::tracer& t, ptx::operand index, ptx::token type) const {
    constexpr std::int64_t bytes = sizeof(T);
    if (index.is(ptx::operand_kind::integer)) return ptx::operand::address(base_, index.value * bytes);
    const ptx::operand size = ptx::operand::integer(bytes);
    ptx::operand offset;
    if (type == ptx::token::u64 || type == ptx::token::s64)
      offset = t.compute(ptx::token::b64, ptx::opcode::mul, {ptx::token::lo, ptx::token::s64}, {index, size});
    else offset = t.compute(ptx::token::b64, ptx::opcode::mul, {ptx::token::wide, type}, {index, size});
    return ptx::operand::address(t.compute(ptx::token::b64, ptx::opcode::add, {ptx::token::s64}, {base_, offset}));
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
