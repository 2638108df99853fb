// What the type of an index remembers: a canonical sum of coefficient × atom, or that nothing is known.
#pragma once

#include <type_traits>

namespace tg::index {

/// Depends on data: what memory holds, a float, a comparison.
struct data {};

/// The type cannot say it, the recorded instructions may: plain C++ integers, variables, selections. Judged when the
/// kernel is recorded.
struct traced {};

/// Coefficient times an atom.
template <long long Coefficient, class Atom> struct term {
  static constexpr long long coefficient = Coefficient;
  using atom = Atom;
};

/// offset + Σ coefficient × atom.
template <long long Offset, class... Terms> struct sum { static constexpr long long offset = Offset; };

/// A coordinate of the thread in its block of X × Y × Z threads.
template <char Axis, int X, int Y, int Z> struct thread {};
/// A number that all threads of the block share; a multiple of Divisor.
template <long long Divisor, bool MaybeNegative = false> struct uniform {};
/// A number that all threads of the block share; a multiple of Multiple below Limit. For shared memory, where a swizzle tells
/// apart what stays within a row (swizzled.hpp).
template <long long Multiple, long long Limit> struct below {};
/// Uniform multiple of the step of a loop, below Limit where that is not 0.
template <class Step, long long Limit = 0> struct steps {};

/// A * B of two numbers that are not constants.
template <class A, class B> struct product {};
/// A / B, rounded towards zero.
template <class A, class B, bool Signed> struct quotient {};
/// A % B.
template <class A, class B, bool Signed> struct remainder {};
/// A & B.
template <class A, class B> struct bit_and {};
/// A | B.
template <class A, class B> struct bit_or {};
/// A ^ B.
template <class A, class B> struct bit_xor {};
/// A << B.
template <class A, class B> struct shift_left {};
/// A >> B.
template <class A, class B, bool Signed> struct shift_right {};
/// The smaller of A and B.
template <class A, class B, bool Signed> struct minimum {};
/// The larger of A and B.
template <class A, class B, bool Signed> struct maximum {};

/// The constant N.
template <long long N> using number = sum<N>;
/// One atom alone.
template <class Atom> using single = sum<0, term<1, Atom>>;

/// Whether the form is a constant.
template <class Form> inline constexpr bool is_number = false;
template <long long N> inline constexpr bool is_number<sum<N>> = true;

namespace detail {

// Whether two equal types are two equal values: true of the thread's coordinates and what is computed from them alone,
// false as soon as an unknown takes part, because two unknowns share one type.
template <class Form> inline constexpr bool is_identity = false;
template <char Axis, int X, int Y, int Z> inline constexpr bool is_identity<thread<Axis, X, Y, Z>> = true;
template <long long O, class... T> inline constexpr bool is_identity<sum<O, T...>> = (is_identity<typename T::atom> && ...);
template <template <class, class> class Node, class A, class B>
inline constexpr bool is_identity<Node<A, B>> = is_identity<A> && is_identity<B>;
template <template <class, class, bool> class Node, class A, class B, bool S>
inline constexpr bool is_identity<Node<A, B, S>> = is_identity<A> && is_identity<B>;

template <class Atom> inline constexpr bool is_uniform = false;
template <long long D, bool N> inline constexpr bool is_uniform<uniform<D, N>> = true;
constexpr long long gcd(long long a, long long b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    const long long r = a % b;
    a = b;
    b = r;
  }
  return a;
}

template <class Sum, class Term, int Kind> struct insert;
template <long long O, class... T, class New> struct insert<sum<O, T...>, New, 0> { using type = sum<O, T..., New>; };
template <long long O, class... T, class New> struct insert<sum<O, T...>, New, 1> {
  using type = sum<O, term<T::coefficient + (std::is_same_v<typename T::atom, typename New::atom> ? New::coefficient : 0),
                           typename T::atom>...>;
};

// A sum holds one uniform at most, written 1 × uniform<divisor>.
template <class Term> struct plain_uniform { using type = Term; };
template <long long C, long long D, bool N> struct plain_uniform<term<C, uniform<D, N>>> {
  using type = term<1, uniform<(C < 0 ? -C : C) * D, N || (C < 0)>>;
};
template <class Own, class New> struct merge_uniform { using type = Own; };
template <long long D, bool N, long long E, bool M> struct merge_uniform<term<1, uniform<D, N>>, term<1, uniform<E, M>>> {
  using type = term<1, uniform<gcd(D, E), N || M>>;
};
template <long long O, class... T, class New> struct insert<sum<O, T...>, New, 2> {
  using type = sum<O, typename merge_uniform<T, New>::type...>;
};

template <class Sum, class Term> struct append;
template <long long O, class... T, class New>
struct append<sum<O, T...>, New> : insert<sum<O, T...>, typename plain_uniform<New>::type,
                                          is_uniform<typename New::atom>     ? ((is_uniform<typename T::atom> || ...) ? 2 : 0)
                                          : !is_identity<typename New::atom> ? 0
                                          : (std::is_same_v<typename T::atom, typename New::atom> || ...) ? 1
                                                                                                          : 0> {};

template <class Sum, class... Terms> struct append_all { using type = Sum; };
template <class Sum, class First, class... Rest>
struct append_all<Sum, First, Rest...> : append_all<typename append<Sum, First>::type, Rest...> {};

template <class A, class B, long long Sign> struct add_sums;
template <long long O, class... T, long long P, class... U, long long Sign>
struct add_sums<sum<O, T...>, sum<P, U...>, Sign>
    : append_all<sum<O + Sign * P, T...>, term<Sign * U::coefficient, typename U::atom>...> {};

template <class A, long long Factor> struct scale_sum;
template <long long O, class... T, long long Factor> struct scale_sum<sum<O, T...>, Factor> {
  using type = sum<O * Factor, typename plain_uniform<term<T::coefficient * Factor, typename T::atom>>::type...>;
};
template <long long O, class... T> struct scale_sum<sum<O, T...>, 0> { using type = sum<0>; };

// Data wins over traced, traced over everything known.
template <class A, class B> using weaker = std::conditional_t<std::is_same_v<A, data> || std::is_same_v<B, data>, data, traced>;
template <class A> inline constexpr bool is_known = !std::is_same_v<A, data> && !std::is_same_v<A, traced>;
template <class A, class B> inline constexpr bool are_known = is_known<A> && is_known<B>;

template <class A, class B, bool Known = are_known<A, B>> struct plus { using type = weaker<A, B>; };
template <class A, class B> struct plus<A, B, true> : add_sums<A, B, 1> {};
template <class A, class B, bool Known = are_known<A, B>> struct minus { using type = weaker<A, B>; };
template <class A, class B> struct minus<A, B, true> : add_sums<A, B, -1> {};

template <class A, class B, bool Known = are_known<A, B>> struct times { using type = weaker<A, B>; };
template <class A, class B> struct times<A, B, true> { using type = single<product<A, B>>; };
template <class A, long long N> struct times<A, sum<N>, true> : scale_sum<A, N> {};
template <class A, long long N> struct times<sum<N>, A, true> : scale_sum<A, N> {};
template <long long M, long long N> struct times<sum<M>, sum<N>, true> { using type = sum<M * N>; };

template <class A, class B, class Atom, bool Known = are_known<A, B>> struct node { using type = weaker<A, B>; };
template <class A, class B, class Atom> struct node<A, B, Atom, true> { using type = single<Atom>; };

}  // namespace detail

/// The form of what a T computes from values of these forms where the type does not look closer.
template <class T, class... Forms>
using computed = std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && !(std::is_same_v<Forms, data> || ...),
                                    traced, data>;

/// Whether the compiler knows the lane pattern of the form.
template <class Form> inline constexpr bool is_known_form = detail::is_known<Form>;

/// The form of a + b.
template <class A, class B> using plus = typename detail::plus<A, B>::type;
/// The form of a - b.
template <class A, class B> using minus = typename detail::minus<A, B>::type;
/// The form of a * b.
template <class A, class B> using times = typename detail::times<A, B>::type;
/// The form of `Atom<A, B, ...>`, or what is left of it when an operand is not known.
template <class A, class B, class Atom> using node = typename detail::node<A, B, Atom>::type;

}  // namespace tg::index
