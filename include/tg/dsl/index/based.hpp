// Forms whose lanes are known numbers, but for one unknown base that all threads of the block share: most indices. A remainder
// of a loop's counter may stand beside it as a mask, unknown bits above all others (lane_value.hpp). The numbers
// of all threads are computed at once (thread_numbers.hpp), which costs a compiler far less than lane values warp by warp.
//
// What is said of a form here is what its evaluator (evaluate.hpp) says of it warp by warp; forms of which that would not be
// so, such as a quotient by what does not divide the base, are not based.
#pragma once

#include <cstdint>

#include <tg/analysis/lane_value.hpp>
#include <tg/dsl/index/block_of.hpp>
#include <tg/dsl/index/thread_numbers.hpp>

namespace tg::index {

/// Which warp to evaluate for, and whether the limits of loops may be used: with them a counter is a set of bits, which
/// swizzles can take; without them a multiple of its step, which strides can take.
struct request_point {
  int warp = 0;
  bool use_limits = false;
};

namespace detail {

template <class Form> struct evaluator;

// Numbers, coefficients and sums of at most so many terms stay below what lane values give up as unknown, 2^48.
inline constexpr std::int64_t number_limit = std::int64_t{1} << 30;
inline constexpr std::int64_t coefficient_limit = std::int64_t{1} << 14;
inline constexpr int most_based_terms = 8;

struct not_based { static constexpr bool is_based = false; };

// Without coordinates: all threads have what its evaluator says of the first warp.
template <class X, bool HasCoordinates> struct based_alone : not_based {};
template <class X> struct based_alone<X, false> {
  static constexpr int count = 1;
  static constexpr analysis::lane_value own = evaluator<X>::at({});
  static constexpr bool is_based = own.known && own.stride_count == 0 && own.xor_bits >= 0 && own.xor_bits < number_limit &&
                                   analysis::magnitude(own.offset[0]) < number_limit && analysis::is_same(own.offset);
  static constexpr std::int64_t divisor = own.divisor;
  static constexpr std::int64_t mask = own.xor_bits;
  static constexpr bool maybe_negative = own.maybe_negative;
  static constexpr thread_numbers<1> numbers = [] {
    thread_numbers<1> out{{own.offset[0]}};
    out.take_stock();
    return out;
  }();
};

/// An atom or a form: `is_based`, and where it is so, the `mask`, the base's `divisor`, whether it is `maybe_negative`, and the
/// `numbers`.
template <class X> struct based : based_alone<X, block_of<X>::value.x != 0> {};

template <char Axis, int X, int Y, int Z> struct based<thread<Axis, X, Y, Z>> {
  static constexpr bool is_based = true;
  static constexpr int count = X * Y * Z;
  static constexpr std::int64_t divisor = 0, mask = 0;
  static constexpr bool maybe_negative = false;
  static constexpr thread_numbers<count> numbers = thread_coordinates<X, Y, Z>(Axis);
};

// One number that all threads share, of which a divisor is known.
template <std::int64_t Divisor, bool MaybeNegative> struct based_uniform {
  static constexpr bool is_based = true;
  static constexpr int count = 1;
  static constexpr std::int64_t divisor = Divisor, mask = 0;
  static constexpr bool maybe_negative = MaybeNegative;
  static constexpr thread_numbers<1> numbers{};
};
template <long long D, bool N> struct based<uniform<D, N>> : based_uniform<analysis::magnitude(D), N && D != 0> {};
template <long long M, long long L> struct based<below<M, L>> : based_uniform<analysis::magnitude(M), false> {};

template <class Term, bool IsBased> inline constexpr bool has_scaled_mask = false;
template <class Term>
inline constexpr bool has_scaled_mask<Term, true> =
    based<typename Term::atom>::mask == 0 || analysis::is_power_of_two(Term::coefficient);
template <class Term>
inline constexpr bool is_based_term =
    has_scaled_mask<Term, (based<typename Term::atom>::is_based &&
                           Term::coefficient<coefficient_limit && Term::coefficient> - coefficient_limit)>;

// coefficient * atom, added to what is there.
template <class Term> struct based_term {
  using own = based<typename Term::atom>;
  static constexpr std::int64_t divisor = own::divisor * (Term::coefficient < 0 ? -Term::coefficient : Term::coefficient);
  static constexpr std::int64_t mask = own::mask * Term::coefficient;
  static constexpr bool maybe_negative = divisor != 0 && (own::maybe_negative || Term::coefficient < 0);
  static constexpr bool is_above_0 = Term::coefficient >= 0 && !own::numbers.any_below_0;

  // What all threads have of it, and whether the rest is kept as warps that are moved.
  static constexpr std::int64_t offset = own::count == 1 ? Term::coefficient * own::numbers.of[0] : 0;
  static constexpr bool is_moved = own::count == 1 || own::numbers.is_moved;
  template <int Count> static constexpr void add_to(thread_numbers<Count>& out) {
    if constexpr (own::count != 1) out.add(own::numbers, Term::coefficient);
  }
};

template <int Count, class... Terms> constexpr thread_numbers<Count> sum_of_terms(std::int64_t number) {
  thread_numbers<Count> out;
  out.is_moved = out.may_move && (Terms::is_moved && ...);
  number += (0 + ... + Terms::offset);
  if (number != 0)
    for (int t = 0; t < out.kept(); ++t) out.of[t] = number;
  (Terms::add_to(out), ...);
  out.take_stock();
  return out;
}

template <class... Terms> constexpr std::int64_t joint_divisor(std::int64_t out) {
  ((out = analysis::gcd(out, Terms::divisor)), ...);
  return out;
}

template <bool IsBased, class Sum> struct based_sum : not_based {};
template <long long O, class... T> struct based_sum<true, sum<O, T...>> {
  static constexpr int count = block_of<sum<O, T...>>::value.x == 0 ? 1 : block_of<sum<O, T...>>::value.threads();
  static constexpr std::int64_t divisor = joint_divisor<based_term<T>...>(0);
  static constexpr bool maybe_negative = (based_term<T>::maybe_negative || ...);
  static constexpr thread_numbers<count> numbers = sum_of_terms<count, based_term<T>...>(O);
  // One mask, above all bits of the numbers and of their partial sums.
  static constexpr std::int64_t mask = (based_term<T>::mask | ... | 0);
  static constexpr bool is_mask_above = (int{based_term<T>::mask != 0} + ... + 0) == 1 && O >= 0 &&
                                        (based_term<T>::is_above_0 && ...) && numbers.bits < analysis::lowest_bit(mask);
  static constexpr bool is_based =
      numbers.bits < number_limit && divisor < number_limit && (mask == 0 || (is_mask_above && mask < number_limit));
};
template <long long O, class... T>
struct based<sum<O, T...>>
    : based_sum<(sizeof...(T) <= most_based_terms && O<number_limit && O> - number_limit && (is_based_term<T> && ...)),
                sum<O, T...>> {};
template <class Atom> struct based<sum<0, term<1, Atom>>> : based<Atom> {};

/// Whether no thread's number, whatever the base, is below 0, and there is no mask.
template <class X>
inline constexpr bool is_based_above_0 = !based<X>::maybe_negative && !based<X>::numbers.any_below_0 && based<X>::mask == 0;

// A quotient or remainder by a number that divides the base.
template <class A, long long N> constexpr bool is_divided() {
  if constexpr (!based<A>::is_based || N <= 0) return false;
  else return based<A>::divisor % N == 0 && is_based_above_0<A>;
}
template <bool IsBased, class A, long long N> struct based_quotient : not_based {};
template <class A, long long N> struct based_quotient<true, A, N> {
  static constexpr bool is_based = true;
  static constexpr int count = based<A>::count;
  static constexpr std::int64_t divisor = based<A>::divisor / N, mask = 0;
  static constexpr bool maybe_negative = false;
  static constexpr thread_numbers<count> numbers = divided(based<A>::numbers, N, false);
};
template <bool IsBased, class A, long long N> struct based_remainder : not_based {};
template <class A, long long N> struct based_remainder<true, A, N> {
  static constexpr bool is_based = true;
  static constexpr int count = based<A>::count;
  static constexpr std::int64_t divisor = 0, mask = 0;
  static constexpr bool maybe_negative = false;
  static constexpr thread_numbers<count> numbers = divided(based<A>::numbers, N, true);
};
template <class X> inline constexpr bool has_coordinates = block_of<X>::value.x != 0;
template <class A, long long N, bool S> requires has_coordinates<A>
struct based<quotient<A, number<N>, S>> : based_quotient<is_divided<A, N>(), A, N> {};
template <class A, long long N, bool S> requires has_coordinates<A>
struct based<remainder<A, number<N>, S>> : based_remainder<is_divided<A, N>(), A, N> {};
template <class A, long long N, bool S> requires(has_coordinates<A> && N >= 0 && N < 30)
struct based<shift_right<A, number<N>, S>> : based_quotient<is_divided<A, (1ll << N)>(), A, (1ll << N)> {};

// Bits of two numbers, where `b` has no base, and none of the bits that the base of `a` has.
template <class A, class B> constexpr bool is_below_base() {
  if constexpr (!based<A>::is_based || !based<B>::is_based) return false;
  else if constexpr (based<B>::divisor != 0 || based<A>::mask != 0 || based<B>::mask != 0) return false;
  else
    return based<A>::divisor == 0 ||
           (!based<B>::numbers.any_below_0 && based<B>::numbers.bits < analysis::lowest_bit(based<A>::divisor));
}
template <bool IsBased, bits_of_two Op, class A, class B> struct based_bits : not_based {};
template <bits_of_two Op, class A, class B> struct based_bits<true, Op, A, B> {
  static constexpr bool is_based = true;
  static constexpr int count = based<A>::count > based<B>::count ? based<A>::count : based<B>::count;
  static constexpr std::int64_t divisor = Op == bits_of_two::and_ ? 0 : based<A>::divisor, mask = 0;
  static constexpr bool maybe_negative = Op != bits_of_two::and_ && based<A>::maybe_negative;
  static constexpr thread_numbers<count> numbers = bits_of(Op, based<A>::numbers, based<B>::numbers);
};
template <class A, class B> requires(has_coordinates<A> || has_coordinates<B>)
struct based<bit_and<A, B>> : based_bits<is_below_base<A, B>(), bits_of_two::and_, A, B> {};
template <class A, class B> requires(has_coordinates<A> || has_coordinates<B>)
struct based<bit_or<A, B>> : based_bits<is_below_base<A, B>(), bits_of_two::or_, A, B> {};
template <class A, class B> requires(has_coordinates<A> || has_coordinates<B>)
struct based<bit_xor<A, B>> : based_bits<is_below_base<A, B>(), bits_of_two::xor_, A, B> {};

template <> struct based<data> : not_based {};
template <> struct based<traced> : not_based {};

/// Whether `evaluate_based` knows the form.
template <class Form> inline constexpr bool is_based = based<Form>::is_based;

template <class Form> constexpr analysis::lane_value evaluate_based(int warp) {
  using own = based<Form>;
  analysis::lane_value out = analysis::uniform(own::divisor, own::maybe_negative);
  out.xor_bits = own::mask;
  own::numbers.copy_warp(warp, out.offset.data());
  return out;
}

}  // namespace detail

}  // namespace tg::index
