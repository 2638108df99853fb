// Swizzled forms that differ by a number which only renames the words of shared memory, as one form.
//
// A swizzle f(x) = x xor (x >> S & mask) xor ... takes xor apart: f(x xor c) = f(x) xor f(c). Where the bits of c are free in
// x, x + c is x xor c, and all addresses differ by one xor f(c). An xor with whole 16-byte pieces renames banks and words and
// changes no cost of aligned accesses.
#pragma once

#include <tg/dsl/index/based.hpp>

namespace tg::index {

namespace detail {

template <class Index, long long Shift, long long Mask>
using picked_bits = single<bit_and<single<shift_right<Index, number<Shift>, false>>, number<Mask>>>;

// The swizzle that makes `Form` from `Index`: what it makes of a number, and of another index.
template <class Form, class Index> struct swizzle_between { static constexpr bool is_one = false; };
template <class Index> struct swizzle_between<Index, Index> {
  static constexpr bool is_one = true;
  static constexpr long long apply(long long x) { return x; }
  template <class Other> using of = Other;
};
template <class Form, class Index, long long Shift, long long Mask>
requires(swizzle_between<Form, Index>::is_one && Shift > 0 && Shift < 32 && Mask > 0)
struct swizzle_between<single<bit_xor<Form, picked_bits<Index, Shift, Mask>>>, Index> {
  using before = swizzle_between<Form, Index>;
  static constexpr bool is_one = true;
  static constexpr long long apply(long long x) { return before::apply(x) ^ (x >> Shift & Mask); }
  template <class Other> using of = single<bit_xor<typename before::template of<Other>, picked_bits<Other, Shift, Mask>>>;
};

/// Whether what an index has beside the number `O` leaves the bits of the number free.
template <long long O, class Rest> constexpr bool is_free_in() {
  if constexpr (O <= 0 || O >= number_limit || !based<Rest>::is_based) return false;
  else
    return is_based_above_0<Rest> && (based<Rest>::numbers.bits & O) == 0 &&
           (based<Rest>::divisor == 0 || O < analysis::lowest_bit(based<Rest>::divisor));
}

template <class Form, class Index, long long Period> struct renamed_from { using type = Form; };
template <class Form, long long O, class... T, long long Period>
requires(swizzle_between<Form, sum<O, T...>>::is_one && is_free_in<O, sum<0, T...>>())
struct renamed_from<Form, sum<O, T...>, Period> {
  using swizzle = swizzle_between<Form, sum<O, T...>>;
  using type = std::conditional_t<swizzle::apply(O) % Period == 0, typename swizzle::template of<sum<0, T...>>, Form>;
};
template <class Form, long long Period> struct renamed { using type = Form; };
template <class Form, class Index, long long Shift, long long Mask, long long Period>
struct renamed<single<bit_xor<Form, picked_bits<Index, Shift, Mask>>>, Period>
    : renamed_from<single<bit_xor<Form, picked_bits<Index, Shift, Mask>>>, Index, Period> {};

}  // namespace detail

/// A form whose lanes differ from those of `Form` by one xor with a multiple of `Period`, a power of two.
template <class Form, long long Period> using renamed = typename detail::renamed<Form, Period>::type;

}  // namespace tg::index
