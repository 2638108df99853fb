// A number that computes as a 32-bit register does, beside which the claims of forms are held.
#pragma once

#include <type_traits>

#include <tg/base/constant.hpp>

namespace register_model {

/// `T` is unsigned or int; both wrap around.
template <class T> struct word {
  unsigned bits;

  T value() const { return static_cast<T>(bits); }
};

template <class T> word<T> make(T v) { return {static_cast<unsigned>(v)}; }
template <class T> word<T> operand(word<T>, word<T> b) { return b; }
template <class T, long long N> word<T> operand(word<T>, tg::constant<N>) { return {static_cast<unsigned>(N)}; }

template <class T, class B> word<T> operator+(word<T> a, B b) { return {a.bits + operand(a, b).bits}; }
template <class T, class B> word<T> operator-(word<T> a, B b) { return {a.bits - operand(a, b).bits}; }
template <class T, class B> word<T> operator*(word<T> a, B b) { return {a.bits * operand(a, b).bits}; }
template <class T, class B> word<T> operator/(word<T> a, B b) { return make<T>(a.value() / operand(a, b).value()); }
template <class T, class B> word<T> operator%(word<T> a, B b) { return make<T>(a.value() % operand(a, b).value()); }
template <class T, class B> word<T> operator&(word<T> a, B b) { return {a.bits & operand(a, b).bits}; }
template <class T, class B> word<T> operator|(word<T> a, B b) { return {a.bits | operand(a, b).bits}; }
template <class T, class B> word<T> operator^(word<T> a, B b) { return {a.bits ^ operand(a, b).bits}; }
template <class T, class B> word<T> operator<<(word<T> a, B b) {
  return {operand(a, b).bits > 31 ? 0 : a.bits << operand(a, b).bits};
}
template <class T, class B> word<T> operator>>(word<T> a, B b) {
  return make<T>(a.value() >> (operand(a, b).bits > 31 ? 31 : operand(a, b).bits));
}
template <class T, class B> word<T> min(word<T> a, B b) { return a.value() < operand(a, b).value() ? a : operand(a, b); }
template <class T, class B> word<T> max(word<T> a, B b) { return a.value() < operand(a, b).value() ? operand(a, b) : a; }
inline word<int> to_signed(word<unsigned> a) { return {a.bits}; }
inline word<unsigned> to_unsigned(word<int> a) { return {a.bits}; }

}  // namespace register_model
