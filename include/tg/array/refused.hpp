// What is no expression of arrays, and says so: operands that are no numbers, loops over elements. A program that calls one
// of these does not compile, so none depends on what they do.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/array/diagnosis.hpp>

#include <type_traits>

#include <tg/array/node.hpp>

namespace tg {

namespace detail {

/// An array beside such an operand, on either side.
template <class A, class B>
concept refused_arithmetic = (array_like<A> && no_array_operand<B>) || (no_array_operand<A> && array_like<B>);

template <class A, class B> auto refuse_operand(const A& a, const B& b) {
  (void)sizeof(diagnosis::array_operand_type<sizeof(A) == 0, diagnosis::types<A, B>>);
  return first_array(a, b);
}

/// Where a loop over an array is; it is none of the iterators of the C++ library.
template <class T> struct refused_iterator {
  T operator*() const { return {}; }
  refused_iterator& operator++() { return *this; }
  friend bool operator!=(const refused_iterator&, const refused_iterator&) { return false; }
};

}  // namespace detail

// Each operator is written out, because compilers print two more notes for what a macro made. An operand on the left belongs to
// an operator of others more often than not (`std::cout << x`), so that only arithmetic is refused there; nor is a struct
// compared.

/// Does not compile. Errors: TG724.
template <class A, class B> requires detail::refused_arithmetic<A, B>
auto operator+(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <class A, class B> requires detail::refused_arithmetic<A, B>
auto operator-(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <class A, class B> requires detail::refused_arithmetic<A, B>
auto operator*(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <class A, class B> requires detail::refused_arithmetic<A, B>
auto operator/(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> auto operator%(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> auto operator<(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> auto operator<=(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> auto operator>(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> auto operator>=(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> requires(!std::is_class_v<B>)
auto operator==(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}
/// Does not compile. Errors: TG724.
template <array_like A, detail::no_array_operand B> requires(!std::is_class_v<B>)
auto operator!=(const A& a, const B& b) {
  return detail::refuse_operand(a, b);
}

/// Does not compile: it takes a lowest and a largest number. Errors: TG725.
template <array_like X> auto clamp(const X& x) {
  (void)sizeof(diagnosis::operand_count<sizeof(X) == 0, diagnosis::types<X>>);
  return x.node();
}
/// Does not compile: it takes a lowest and a largest number. Errors: TG725.
template <array_like X, class L> auto clamp(const X& x, const L&) {
  (void)sizeof(diagnosis::operand_count<sizeof(X) == 0, diagnosis::types<X, L>>);
  return x.node();
}

/// Does not compile: `tg::dot` is a word of tiles. Errors: TG719.
template <class S = void, array_like A, array_like B>
auto dot(const A& a, const B&, source_location /*where*/ = source_location::current()) {
  (void)sizeof(diagnosis::dot_of_arrays<sizeof(A) == 0, diagnosis::types<A, B>>);
  return a.node();
}

/// Does not compile: elements are on the device. Errors: TG138.
template <array_like X> detail::refused_iterator<detail::element_of_operand<X>> begin(const X&) {
  (void)sizeof(diagnosis::iterated_array<sizeof(X) == 0, X>);
  return {};
}
/// Does not compile: elements are on the device. Errors: TG138, of `begin`.
template <array_like X> detail::refused_iterator<detail::element_of_operand<X>> end(const X&) { return {}; }

}  // namespace tg
