// Forms that differ by a shift which no cost depends on, as one form: unrolled copies of an access are judged once.
#pragma once

#include <type_traits>

#include <tg/analysis/integer.hpp>
#include <tg/dsl/index/form.hpp>

namespace tg::index {

namespace detail {

inline constexpr long long no_bound = 1ll << 40;
constexpr long long bounded(long long x) { return x < 0 || x > no_bound ? no_bound : x; }
constexpr long long bounded_product(long long a, long long b) { return a != 0 && b > no_bound / a ? no_bound : a * b; }

// No lane's own part of the number is further from 0 than this; what is unknown and the same in all lanes does not count.
template <class Form> inline constexpr long long lane_bound = no_bound;
template <char Axis, int X, int Y, int Z> inline constexpr long long lane_bound<thread<Axis, X, Y, Z>> = 1023;
template <long long D, bool N> inline constexpr long long lane_bound<uniform<D, N>> = 0;
template <long long M, long long L> inline constexpr long long lane_bound<below<M, L>> = 0;
template <class Step, long long L> inline constexpr long long lane_bound<steps<Step, L>> = bounded(L + lane_bound<Step>);
template <long long O, class... T>
inline constexpr long long lane_bound<sum<O, T...>> =
    bounded((analysis::magnitude(O) + ... +
             bounded_product(bounded(analysis::magnitude(T::coefficient)), lane_bound<typename T::atom>)));
template <class A, class B>
inline constexpr long long lane_bound<product<A, B>> = bounded_product(lane_bound<A>, lane_bound<B>);
template <class A, class B, bool S> inline constexpr long long lane_bound<quotient<A, B, S>> = lane_bound<A>;
template <class A, class B, bool S> inline constexpr long long lane_bound<remainder<A, B, S>> = lane_bound<A>;
template <class A, class B, bool S> inline constexpr long long lane_bound<shift_right<A, B, S>> = lane_bound<A>;
template <class A, class B>
inline constexpr long long lane_bound<bit_and<A, B>> =
    bounded(2 * (lane_bound<A> > lane_bound<B> ? lane_bound<A> : lane_bound<B>));
template <class A, class B> inline constexpr long long lane_bound<bit_xor<A, B>> = lane_bound<bit_and<A, B>>;
template <class A, class B> inline constexpr long long lane_bound<bit_or<A, B>> = lane_bound<bit_and<A, B>>;

// Whether nothing in it can be below 0.
template <class Form> inline constexpr bool is_never_negative = false;
template <char Axis, int X, int Y, int Z> inline constexpr bool is_never_negative<thread<Axis, X, Y, Z>> = true;
template <long long D> inline constexpr bool is_never_negative<uniform<D, false>> = D >= 0;
template <long long M, long long L> inline constexpr bool is_never_negative<below<M, L>> = true;
template <class Step, long long L> inline constexpr bool is_never_negative<steps<Step, L>> = is_never_negative<Step>;
template <long long O, class... T>
inline constexpr bool is_never_negative<sum<O, T...>> =
    O >= 0 && ((T::coefficient >= 0 && is_never_negative<typename T::atom>) && ...);
template <class A, class B>
inline constexpr bool is_never_negative<product<A, B>> = is_never_negative<A> && is_never_negative<B>;
template <class A, class B> inline constexpr bool is_never_negative<quotient<A, B, false>> = is_never_negative<A>;
template <class A, class B> inline constexpr bool is_never_negative<remainder<A, B, false>> = is_never_negative<A>;

// Whether the limits of loops change what is known of it.
template <class Form> inline constexpr bool has_limit = false;
template <class Step, long long L> inline constexpr bool has_limit<steps<Step, L>> = L > 0 || has_limit<Step>;
template <long long O, class... T> inline constexpr bool has_limit<sum<O, T...>> = (has_limit<typename T::atom> || ...);
template <template <class, class> class Node, class A, class B>
inline constexpr bool has_limit<Node<A, B>> = has_limit<A> || has_limit<B>;
template <template <class, class, bool> class Node, class A, class B, bool S>
inline constexpr bool has_limit<Node<A, B, S>> = has_limit<A> || has_limit<B>;

// The number less a multiple of `period`, which is at most what is left.
constexpr long long left_of(long long number, long long period) { return ((number % period) + period) % period; }

// A term as its part near zero and the number that is left to add.
template <class Term> struct moved_term {
  using type = Term;
  static constexpr long long rest = 0;
};

// A swizzled number x xor (x >> Shift & Mask), Mask below all that it takes bits from. The permuted bits do not change when
// whole periods of it are taken away, unless x came below 0.
template <long long C, long long O, class... T, long long Shift, long long Mask>
requires(Mask > 0 && Shift > 0 && Shift < 32 && Mask < (1ll << 31) && is_never_negative<sum<O, T...>>)
struct moved_term<
    term<C, bit_xor<sum<O, T...>, single<bit_and<single<shift_right<sum<O, T...>, number<Shift>, false>>, number<Mask>>>>>> {
  static constexpr long long period = analysis::power_of_two_at_least((Mask << Shift) + 1);
  using left = sum<left_of(O, period), T...>;
  using type = term<C, bit_xor<left, single<bit_and<single<shift_right<left, number<Shift>, false>>, number<Mask>>>>>;
  static constexpr long long rest = C * (O - left::offset);
};

template <class Form, long long Period, bool IsSmall> struct moved { using type = Form; };
template <long long O, class... T, long long Period> struct moved<sum<O, T...>, Period, true> {
  using type = sum<left_of((O + ... + moved_term<T>::rest), Period), typename moved_term<T>::type...>;
};

}  // namespace detail

/// A form of which every lane is a multiple of `Period` away from `Form`: the same multiple for all of them. Requires: `Period`
/// tells no costs apart. Numbers that might come near the end of 32 bits stay where they are, and so do those with the bits
/// that a loop's limit leaves, because what can carry into these bits depends on where they are.
template <class Form, long long Period>
using near_zero =
    typename detail::moved<Form, Period, (detail::lane_bound<Form> < (1ll << 30) && !detail::has_limit<Form>)>::type;

}  // namespace tg::index
