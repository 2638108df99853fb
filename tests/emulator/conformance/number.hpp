// Numbers as sign, 128-bit magnitude and power of two, rounded to any format: an evaluation that shares nothing with
// the emulator's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace conformance {

struct format {
  int exponent_bits, fraction_bits;
  bool has_infinity = true;
  std::uint64_t canonical_nan = 0;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
  constexpr std::uint64_t top() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  constexpr std::uint64_t largest() const { return has_infinity ? top() - 1 : sign() - 2; }
};

inline constexpr format f16{5, 10, true, 0x7fff}, bf16{8, 7, true, 0x7fff}, f32{8, 23, true, 0x7fffffff},
    f64{11, 52, true, 0x7fffffffffffffff}, e4m3{4, 3, false, 0x7f}, e5m2{5, 2, true, 0x7f}, tf32{8, 10, true, 0x3ffff};

enum class direction { nearest_even, nearest_away, zero, down, up };

struct number {
  enum class kind { finite, infinite, nan };
  kind what = kind::finite;
  bool negative = false;
  __uint128_t size = 0;
  int exponent = 0;  // size * 2^exponent
  bool is_nan() const { return what == kind::nan; }
  bool is_infinite() const { return what == kind::infinite; }
  bool is_zero() const { return what == kind::finite && size == 0; }
};

inline constexpr number not_a_number{number::kind::nan};

inline number from_bits(const format& f, std::uint64_t bits) {
  const bool negative = (bits & f.sign()) != 0;
  const std::uint64_t size = bits & (f.sign() - 1), field = size >> f.fraction_bits,
                      fraction = size & ((std::uint64_t{1} << f.fraction_bits) - 1);
  if (f.has_infinity ? size > f.top() : size == f.sign() - 1) return not_a_number;
  if (f.has_infinity && size == f.top()) return {number::kind::infinite, negative};
  if (field == 0) return {number::kind::finite, negative, fraction, 1 - f.bias() - f.fraction_bits};
  return {number::kind::finite, negative, fraction | std::uint64_t{1} << f.fraction_bits,
          static_cast<int>(field) - f.bias() - f.fraction_bits};
}

inline number from_integer(std::int64_t v) {
  return {number::kind::finite, v < 0, v < 0 ? ~static_cast<std::uint64_t>(v) + 1 : static_cast<std::uint64_t>(v), 0};
}
inline number from_unsigned(std::uint64_t v) { return {number::kind::finite, false, v, 0}; }

inline int bit_length(__uint128_t v) {
  const auto high = static_cast<std::uint64_t>(v >> 64), low = static_cast<std::uint64_t>(v);
  return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/// `size` / 2^drop as a whole number in the direction.
inline __uint128_t shifted_down(__uint128_t size, int drop, bool negative, direction how) {
  if (drop <= 0) return size << -drop;
  __uint128_t kept = drop >= 128 ? 0 : size >> drop;
  const __uint128_t rest = drop >= 128 ? size : size - (kept << drop);
  const __uint128_t half = drop > 128 ? ~static_cast<__uint128_t>(0) : static_cast<__uint128_t>(1) << (drop - 1);
  if (rest == 0) return kept;
  const bool raises = how == direction::nearest_even   ? rest > half || (rest == half && (kept & 1) != 0)
                      : how == direction::nearest_away ? rest >= half
                      : how == direction::down         ? negative
                      : how == direction::up           ? !negative
                                                       : false;
  return kept + (raises ? 1 : 0);
}

/// The bits of `n` rounded to `f`; too large: infinity or the largest, as the direction says.
inline std::uint64_t to_bits(const format& f, const number& n, direction how = direction::nearest_even) {
  if (n.is_nan()) return f.canonical_nan;
  const std::uint64_t sign = n.negative ? f.sign() : 0;
  const std::uint64_t beyond = f.has_infinity ? f.top() : f.canonical_nan;
  if (n.is_infinite()) return sign | beyond;
  if (n.size == 0) return sign;
  const int least = 1 - f.bias() - f.fraction_bits;
  const int unit = std::max(n.exponent + bit_length(n.size) - 1 - f.fraction_bits, least);
  const auto count = shifted_down(n.size, unit - n.exponent, n.negative, how);
  const __uint128_t field = static_cast<__uint128_t>(static_cast<unsigned>(unit - least));
  const __uint128_t bits = (field << f.fraction_bits) + count;
  if (bits <= f.largest()) return sign | static_cast<std::uint64_t>(bits);
  const bool stays = how == direction::zero || (how == direction::down && !n.negative) || (how == direction::up && n.negative);
  return sign | (stays ? f.largest() : beyond);
}

inline number negated(number n) {
  n.negative = !n.negative;
  return n;
}

inline number product(const number& a, const number& b) {
  if (a.is_nan() || b.is_nan()) return not_a_number;
  const bool negative = a.negative != b.negative;
  if (a.is_infinite() || b.is_infinite()) {
    if (a.is_zero() || b.is_zero()) return not_a_number;
    return {number::kind::infinite, negative};
  }
  return {number::kind::finite, negative, a.size * b.size, a.exponent + b.exponent};
}

/// a + b, the sticky bit of what is far below kept: right for factors and sums of up to 56 bits, rounded to at most 53.
inline number sum(number a, number b, direction how = direction::nearest_even) {
  if (a.is_nan() || b.is_nan()) return not_a_number;
  if (a.is_infinite() || b.is_infinite()) {
    if (a.is_infinite() && b.is_infinite() && a.negative != b.negative) return not_a_number;
    return a.is_infinite() ? a : b;
  }
  if (a.is_zero() && b.is_zero()) return {number::kind::finite, a.negative == b.negative ? a.negative : how == direction::down};
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  for (number* n : {&a, &b}) {
    const int up = 120 - bit_length(n->size);
    n->size = up >= 0 ? n->size << up : n->size >> -up | ((n->size & ((__uint128_t{1} << -up) - 1)) != 0 ? 1 : 0);
    n->exponent -= up;
  }
  if (a.exponent < b.exponent) std::swap(a, b);
  const int down = a.exponent - b.exponent;
  if (down > 0) {
    const __uint128_t kept = down >= 128 ? 0 : b.size >> down;
    const bool lost = down >= 128 || (kept << down) != b.size;
    b.size = kept | (lost ? 1 : 0);
    b.exponent = a.exponent;
  }
  if (a.negative == b.negative) return {number::kind::finite, a.negative, a.size + b.size, a.exponent};
  if (a.size == b.size) return {number::kind::finite, how == direction::down};
  const bool a_larger = a.size > b.size;
  return {number::kind::finite, a_larger ? a.negative : b.negative, a_larger ? a.size - b.size : b.size - a.size, a.exponent};
}

/// -1, 0, 1; neither is NaN.
inline int order(const number& a, const number& b) {
  if (a.is_zero() && b.is_zero()) return 0;
  const number difference = a.is_infinite() && b.is_infinite() && a.negative == b.negative ? number{} : sum(a, negated(b));
  return difference.is_zero() ? 0 : difference.negative ? -1 : 1;
}

/// The smaller or larger, -0 below +0; a NaN loses, or wins where `nan_wins`.
inline number extreme(const number& a, const number& b, bool smaller, bool nan_wins) {
  if (a.is_nan() || b.is_nan()) return nan_wins || (a.is_nan() && b.is_nan()) ? not_a_number : a.is_nan() ? b : a;
  const int sign = order(a, b);
  if (sign == 0) return (a.negative == smaller) ? a : b;
  return (sign < 0) == smaller ? a : b;
}

/// Subnormal bits as zero of the same sign.
inline std::uint64_t flushed(const format& f, std::uint64_t bits) { return (bits & f.top()) == 0 ? bits & f.sign() : bits; }

/// `n` as an integer of `bits` bits, clamped to its range; a NaN is an error of the caller.
inline std::uint64_t to_integer(const number& n, int bits, bool is_signed, direction how) {
  const __uint128_t high = (static_cast<__uint128_t>(1) << (is_signed ? bits - 1 : bits)) - 1;
  const __uint128_t low = is_signed ? high + 1 : 0;
  __uint128_t size =
      n.is_infinite() || n.exponent + bit_length(n.size) > 100 ? high + 2 : shifted_down(n.size, -n.exponent, n.negative, how);
  size = std::min(size, n.negative ? low : high);
  const auto word = static_cast<std::uint64_t>(n.negative ? ~size + 1 : size);
  return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace conformance
