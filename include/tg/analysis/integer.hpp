// Integer arithmetic that the analysis shares: divisors, floors, and products that refuse to overflow.
#pragma once

#include <cstdint>

namespace tg::analysis {

/// Offsets, coefficients and divisors beyond this are given up as unknown, so that no later sum overflows.
inline constexpr std::int64_t magnitude_limit = std::int64_t{1} << 48;

/// Returns: |a|; of the smallest number, whose magnitude has no place, the largest.
constexpr std::int64_t magnitude(std::int64_t a) {
  constexpr std::int64_t largest = INT64_MAX;
  return a < -largest ? largest : a < 0 ? -a : a;
}

/// Returns: the greatest common divisor, never negative; gcd(0, a) is |a|. Where that is 2^63, which has no place, 2^62.
constexpr std::int64_t gcd(std::int64_t a, std::int64_t b) {
  std::uint64_t x = a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
  std::uint64_t y = b < 0 ? 0 - static_cast<std::uint64_t>(b) : static_cast<std::uint64_t>(b);
  while (y != 0) {
    const std::uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  return static_cast<std::int64_t>(x == most ? x / 2 : x);
}

/// Returns: a / b rounded down. Requires: b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns: a - b * floor_div(a, b), in [0, b). Requires: b > 0.
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

/// Returns: the smallest power of two that is not below `a`; `a` is at most 2^62.
constexpr std::int64_t power_of_two_at_least(std::int64_t a) {
  return a <= 1 ? 1 : std::int64_t{1} << (64 - __builtin_clzll(static_cast<unsigned long long>(a - 1)));
}

/// Returns: the largest power of two that divides `a`; 0 for 0.
constexpr std::int64_t lowest_bit(std::int64_t a) {
  const auto bits = static_cast<std::uint64_t>(a);
  return static_cast<std::int64_t>(bits & (~bits + 1));
}

/// Returns: whether a is 1, 2, 4, ...
constexpr bool is_power_of_two(std::int64_t a) { return a > 0 && (a & (a - 1)) == 0; }

/// Returns: whether the product stays within `magnitude_limit`; only then is `product` meaningful.
constexpr bool multiply(std::int64_t a, std::int64_t b, std::int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product) && product <= magnitude_limit && product >= -magnitude_limit;
}

/// Returns: a divisor of x*y where `a` divides x and `b` divides y; 0 when either is 0.
constexpr std::int64_t divisor_of_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (multiply(a, b, product)) return product;
  return a < b ? b : a;
}

}  // namespace tg::analysis
