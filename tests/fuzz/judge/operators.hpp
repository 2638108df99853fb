// The operators and functions of the language on values whose types are known while the program runs.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/value/bit_field.hpp>

#include "device.hpp"

namespace judge {

// Two operands of which one can be a C++ number.
template <class T, class A, class B> device joined(op what, const A& a, const B& b) {
  switch (what) {
    case op::min:
      if constexpr (tg::is_ordered<T>) return forget(tg::min(a, b));
      break;
    case op::max:
      if constexpr (tg::is_ordered<T>) return forget(tg::max(a, b));
      break;
    case op::lt:
      if constexpr (tg::is_ordered<T>) return forget(a < b);
      break;
    case op::le:
      if constexpr (tg::is_ordered<T>) return forget(a <= b);
      break;
    case op::gt:
      if constexpr (tg::is_ordered<T>) return forget(a > b);
      break;
    case op::ge:
      if constexpr (tg::is_ordered<T>) return forget(a >= b);
      break;
    case op::eq:
      if constexpr (tg::is_ordered<T>) return forget(a == b);
      break;
    case op::ne:
      if constexpr (tg::is_ordered<T>) return forget(a != b);
      break;
    case op::bit_and:
      if constexpr (tg::is_integer<T>) return forget(a & b);
      break;
    case op::bit_or:
      if constexpr (tg::is_integer<T>) return forget(a | b);
      break;
    case op::bit_xor:
      if constexpr (tg::is_integer<T>) return forget(a ^ b);
      break;
    case op::logic_and:
      if constexpr (std::is_same_v<T, bool>) return forget(a && b);
      break;
    case op::logic_or:
      if constexpr (std::is_same_v<T, bool>) return forget(a || b);
      break;
    default: break;
  }
  if constexpr (tg::is_arithmetic<T>) {
    switch (what) {
      case op::add: return forget(a + b);
      case op::sub: return forget(a - b);
      case op::mul: return forget(a * b);
      case op::div: return forget(a / b);
      case op::rem:
        if constexpr (tg::is_integer<T>) return forget(a % b);
        break;
      case op::mul_high:
        if constexpr (tg::is_integer<T>) return forget(tg::mul_high(a, b));
        break;
      default: break;
    }
  }
  throw malformed("no such operation on two operands");
}

template <class T> device changed(op what, const tg::value<T>& a) {
  if constexpr (std::is_same_v<T, bool>) {
    if (what == op::logic_not) return forget(!a);
  } else if constexpr (tg::is_arithmetic<T>) {
    if (what == op::negate) return forget(-a);
    if (what == op::absolute)
      if constexpr (std::is_signed_v<T>) return forget(tg::abs(a));
    if constexpr (tg::is_integer<T>) switch (what) {
        case op::bit_not: return forget(~a);
        case op::popcount: return forget(tg::popcount(a));
        case op::leading_zeros: return forget(tg::leading_zeros(a));
        case op::reverse_bits: return forget(tg::reverse_bits(a));
        default: break;
      }
    else switch (what) {
        case op::sqrt: return forget(tg::sqrt(a));
        case op::floor: return forget(tg::floor(a));
        case op::ceil: return forget(tg::ceil(a));
        case op::round_even: return forget(tg::round_even(a));
        case op::trunc: return forget(tg::trunc(a));
        default: break;
      }
  }
  throw malformed("no such operation on one operand");
}

/// Calls `f` with the `tg::constant` of a number; those that kernels are made with are in `constants_of`. Errors:
/// malformed.
template <class T, class F> device with_constant(bits number, F&& f) {
  switch (to_number<T>(number)) {
    case 1: return f(tg::constant<1>{});
    case 3: return f(tg::constant<3>{});
    case 33: return f(tg::constant<33>{});
    default: break;
  }
  if constexpr (std::is_same_v<T, unsigned>) {
    if (number == 0x80000000u) return f(tg::constant<0x80000000>{});
    if (number == 0xffffffffu) return f(tg::constant<0xffffffff>{});
  } else {
    if (to_number<T>(number) == -2) return f(tg::constant<-2>{});
  }
  throw malformed("no such constant");
}

}  // namespace judge
