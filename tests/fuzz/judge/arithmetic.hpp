// What the words of the language compute, one thread at a time: the PTX ISA's rules, written without the library.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tree.hpp"

namespace judge {

namespace detail {

inline bits float_operation(const expr& e, bits x, bits y, bits z) {
  const type t = e.of;
  const double a = to_double(t, x), b = to_double(t, y), c = to_double(t, z);
  const bool is_single = t == type::f32;
  // The minimum of two floats is the one that is a number; -0 is below +0.
  const auto extreme = [&](bool largest) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) == largest ? b : a;
    return (a > b) == largest ? a : b;
  };
  switch (e.what) {
    // In double, a sum, product, quotient or root of two floats rounds once more to the float nearest to the exact one.
    case op::add: return from_double(t, a + b);
    case op::sub: return from_double(t, a - b);
    case op::mul: return from_double(t, a * b);
    case op::div: return from_double(t, a / b);
    case op::sqrt: return from_double(t, std::sqrt(a));
    case op::fma:
      if (is_single) {
        const float r = std::fma(to_number<float>(x), to_number<float>(y), to_number<float>(z));
        return from_double(t, static_cast<double>(r));
      }
      return from_double(t, std::fma(a, b, c));
    case op::min: return from_double(t, extreme(false));
    case op::max: return from_double(t, extreme(true));
    case op::negate: return from_double(t, -a);
    case op::absolute: return from_double(t, std::fabs(a));
    case op::floor: return from_double(t, std::floor(a));
    case op::ceil: return from_double(t, std::ceil(a));
    case op::round_even: return from_double(t, std::nearbyint(a));
    case op::trunc: return from_double(t, std::trunc(a));
    default: throw malformed("no such float operation");
  }
}

inline bits high_product(type t, bits x, bits y) {
  __extension__ using wide = __int128;
  __extension__ using unsigned_wide = unsigned __int128;
  if (is_signed(t)) return static_cast<bits>((static_cast<wide>(to_signed(t, x)) * to_signed(t, y)) >> width_of(t));
  return static_cast<bits>((static_cast<unsigned_wide>(x) * y) >> width_of(t));
}

inline bits shifted(op o, type t, bits x, bits amount) {
  const auto n = static_cast<int>(std::min<bits>(amount & 0xffffffffu, static_cast<bits>(width_of(t))));
  if (o == op::shl) return n == 64 ? 0 : x << n;
  if (!is_signed(t)) return n == 64 ? 0 : x >> n;
  return static_cast<bits>(to_signed(t, x) >> std::min(n, 63));
}

inline bits extracted(type t, bits x, bits position, bits count) {
  const int width = width_of(t), p = static_cast<int>(position & 0xff), n = static_cast<int>(count & 0xff);
  const bool sign = is_signed(t) && n != 0 && (x >> std::min(p + n - 1, width - 1) & 1) != 0;
  bits out = 0;
  for (int k = 0; k < width; ++k) {
    const bool bit = k < n && p + k < width ? (x >> (p + k) & 1) != 0 : sign;
    out |= static_cast<bits>(bit) << k;
  }
  return out;
}

inline bits integer_operation(const expr& e, bits x, bits y, bits z) {
  const type t = e.of;
  const std::int64_t a = to_signed(t, x), b = to_signed(t, y);
  const auto extreme = [&](bool largest) { return ((is_signed(t) ? a > b : x > y) == largest) ? x : y; };
  switch (e.what) {
    case op::add: return x + y;
    case op::sub: return x - y;
    case op::mul: return x * y;
    case op::div:
      if (y == 0) throw malformed("division by zero");
      if (is_signed(t) && b == -1) return bits{0} - x;
      return is_signed(t) ? static_cast<bits>(a / b) : x / y;
    case op::rem:
      if (y == 0) throw malformed("division by zero");
      if (is_signed(t) && b == -1) return 0;
      return is_signed(t) ? static_cast<bits>(a % b) : x % y;
    case op::min: return extreme(false);
    case op::max: return extreme(true);
    case op::bit_and: return x & y;
    case op::bit_or: return x | y;
    case op::bit_xor: return x ^ y;
    case op::shl:
    case op::shr: return shifted(e.what, t, x, y);
    case op::mul_high: return high_product(t, x, y);
    case op::negate: return bits{0} - x;
    case op::bit_not: return ~x;
    case op::absolute: return a < 0 ? bits{0} - x : x;
    case op::reverse_bits: {
      bits out = 0;
      for (int k = 0; k < width_of(t); ++k) out |= (x >> k & 1) << (width_of(t) - 1 - k);
      return out;
    }
    case op::extract_bits: return extracted(t, x, y, z);
    default: throw malformed("no such integer operation");
  }
}

inline bool compared(op o, type t, bits x, bits y) {
  const auto in_order = [o](auto a, auto b) {
    switch (o) {
      case op::lt: return a < b;
      case op::le: return a <= b;
      case op::gt: return a > b;
      case op::ge: return a >= b;
      case op::eq: return a == b;
      default: return !(a == b);
    }
  };
  if (is_float(t)) return in_order(to_double(t, x), to_double(t, y));
  if (is_signed(t)) return in_order(to_signed(t, x), to_signed(t, y));
  return in_order(x, y);
}

// Toward zero; what lies outside the integer's range becomes its end, NaN is not asked for.
inline bits to_integer(type to, double x) {
  const double t = std::trunc(x);
  const int width = width_of(to);
  const double high = std::ldexp(1.0, is_signed(to) ? width - 1 : width), low = is_signed(to) ? -high : 0.0;
  if (std::isnan(t)) throw malformed("NaN as an integer");
  if (t <= low) return static_cast<bits>(is_signed(to) ? bits{1} << (width - 1) : 0);
  if (t >= high) return is_signed(to) ? mask_of(to) >> 1 : mask_of(to);
  return t < 0 ? static_cast<bits>(static_cast<std::int64_t>(t)) : static_cast<bits>(t);
}

inline bits converted(type to, type from, bits x) {
  if (to == type::b) return is_float(from) ? to_double(from, x) != 0.0 : x != 0;
  if (from == type::b) return is_float(to) ? from_double(to, x != 0 ? 1.0 : 0.0) : x;
  if (is_float(from)) return is_float(to) ? from_double(to, to_double(from, x)) : to_integer(to, to_double(from, x));
  if (!is_float(to)) return static_cast<bits>(to_signed(from, x));
  if (is_signed(from)) {
    const std::int64_t n = to_signed(from, x);
    return to == type::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(n)) : std::bit_cast<bits>(static_cast<double>(n));
  }
  return to == type::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(x)) : std::bit_cast<bits>(static_cast<double>(x));
}

}  // namespace detail

/// The result of an operation on one thread's operands.
inline bits computed(const expr& e, bits x, bits y = 0, bits z = 0) {
  const auto cut = [&](bits r) { return r & mask_of(e.of); };
  switch (e.what) {
    case op::lt:
    case op::le:
    case op::gt:
    case op::ge:
    case op::eq:
    case op::ne: return detail::compared(e.what, e.in[0].of, x, y);
    case op::logic_and: return x & y;
    case op::logic_or: return x | y;
    case op::logic_not: return x ^ 1;
    case op::select: return x != 0 ? y : z;
    case op::cast: return cut(detail::converted(e.of, e.in[0].of, x));
    case op::popcount: return static_cast<bits>(std::popcount(x));
    case op::leading_zeros: return static_cast<bits>(std::countl_zero(x) - (64 - width_of(e.in[0].of)));
    default: break;
  }
  if (e.of == type::b) throw malformed("no such operation on conditions");
  return is_float(e.of) ? detail::float_operation(e, x, y, z) : cut(detail::integer_operation(e, x, y, z));
}

}  // namespace judge
