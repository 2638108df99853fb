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

/// The bits that a term may have which is below a limit, the same number in all lanes: `tg::uniform<16, 64>(n)`. -1: of any
/// other term.
template <class Term> inline constexpr long long limited_bits = -1;
template <long long C, long long S, long long L>
requires(L < number_limit && C > 0 && C < coefficient_limit && analysis::is_power_of_two(C))
inline constexpr long long limited_bits<term<C, below<S, L>>> =
    C * ((analysis::power_of_two_at_least(L) - 1) & ~(analysis::lowest_bit(S) - 1));
template <class Index> inline constexpr bool has_limited = false;
template <long long O, class... T> inline constexpr bool has_limited<sum<O, T...>> = ((limited_bits<T> >= 0) || ...);
template <class... T> inline constexpr long long all_limited_bits = ((limited_bits<T> < 0 ? 0 : limited_bits<T>) | ... | 0);

// A sum without such terms.
template <class Kept, class... T> struct without_limited { using type = Kept; };
template <long long O, class... Kept, class First, class... T>
struct without_limited<sum<O, Kept...>, First, T...>
    : without_limited<std::conditional_t<(limited_bits<First> < 0), sum<O, Kept..., First>, sum<O, Kept...>>, T...> {};

// A sum in which they are any multiples.
template <class Kept, class... T> struct with_unlimited { using type = Kept; };
template <class Kept, class First, class... T>
struct with_unlimited<Kept, First, T...> : with_unlimited<typename append<Kept, First>::type, T...> {};
template <class Kept, long long C, long long S, long long L, class... T>
struct with_unlimited<Kept, term<C, below<S, L>>, T...>
    : with_unlimited<typename append<Kept, term<C, uniform<S>>>::type, T...> {};

// Whether all of these bits are free in an index, and the swizzle makes whole periods of each.
template <class Swizzle, long long Period, class Rest> constexpr bool are_free_periods(long long bits) {
  if constexpr (!based<Rest>::is_based) return false;
  else if constexpr (!is_based_above_0<Rest>) return false;
  else {
    if ((based<Rest>::numbers.bits & bits) != 0) return false;
    if (based<Rest>::divisor != 0 && bits >= analysis::lowest_bit(based<Rest>::divisor)) return false;
    for (long long bit = 1; bit <= bits; bit *= 2)
      if ((bits & bit) != 0 && Swizzle::apply(bit) % Period != 0) return false;
    return true;
  }
}

template <class Form, class Index, long long Period> struct renamed_from { using type = Form; };
template <class Form, long long O, class... T, long long Period>
requires(swizzle_between<Form, sum<O, T...>>::is_one && has_limited<sum<O, T...>>)
struct renamed_from<Form, sum<O, T...>, Period> {
  using swizzle = swizzle_between<Form, sum<O, T...>>;
  using rest = typename without_limited<sum<O>, T...>::type;
  static constexpr bool is_free = are_free_periods<swizzle, Period, rest>(all_limited_bits<T...>);
  using kept = typename std::conditional_t<is_free, std::type_identity<rest>, with_unlimited<sum<O>, T...>>::type;
  using type = typename renamed_from<typename swizzle::template of<kept>, kept, Period>::type;
};
template <class Form, long long O, class... T, long long Period>
requires(swizzle_between<Form, sum<O, T...>>::is_one && !has_limited<sum<O, T...>> && is_free_in<O, sum<0, T...>>())
struct renamed_from<Form, sum<O, T...>, Period> {
  using swizzle = swizzle_between<Form, sum<O, T...>>;
  using type = std::conditional_t<swizzle::apply(O) % Period == 0, typename swizzle::template of<sum<0, T...>>, Form>;
};
template <class Form, long long Period> struct renamed { using type = Form; };
template <long long O, class... T, long long Period> requires(has_limited<sum<O, T...>>)
struct renamed<sum<O, T...>, Period> : renamed_from<sum<O, T...>, sum<O, T...>, Period> {};
template <class Form, class Index, long long Shift, long long Mask, long long Period>
struct renamed<single<bit_xor<Form, picked_bits<Index, Shift, Mask>>>, Period>
    : renamed_from<single<bit_xor<Form, picked_bits<Index, Shift, Mask>>>, Index, Period> {};

}  // namespace detail

/// A form whose lanes differ from those of `Form` by one xor with a multiple of `Period`, a power of two.
template <class Form, long long Period> using renamed = typename detail::renamed<Form, Period>::type;

}  // namespace tg::index
