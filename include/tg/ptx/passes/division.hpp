// Quotients by a constant through one high multiplication.
//
// For d > 0 take m = floor(2^(N+s) / d) + 1, so that m·d = 2^(N+s) + e with 0 < e <= d. Then floor(n·m / 2^(N+s)) is
// n/d plus n·e / (d·2^(N+s)), and the surplus stays under 1/d, too little to reach the next quotient, as long as
// e·n < 2^(N+s). Each type below looks for the smallest s where that holds for every n of its range.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace tg::ptx {

namespace detail { __extension__ typedef unsigned __int128 quotient_bits; }

/// `q = mulhi(n >> pre_shift, multiplier) >> shift`, or with `adds`, where the multiplier has N + 1 bits,
/// `t = mulhi(n, multiplier); q = (t + ((n - t) >> 1)) >> shift`.
struct unsigned_division {
  std::uint64_t multiplier = 0;
  int pre_shift = 0;
  int shift = 0;
  bool adds = false;
};

/// Requires: `bits` 16, 32 or 64; `divisor` < 2^bits and not a power of two.
constexpr unsigned_division divide_unsigned_by(std::uint64_t divisor, int bits) {
  using wide = detail::quotient_bits;
  int zeros = 0;
  while ((divisor >> zeros & 1) == 0) ++zeros;
  int length = bits;
  while ((divisor >> (length - 1)) == 0) --length;  // 2^(length-1) < divisor < 2^length
  for (const int pre_shift : {0, zeros}) {
    const std::uint64_t d = divisor >> pre_shift;
    for (int s = 0; s < length; ++s) {  // n < 2^(N - pre_shift) asks for e <= 2^(s + pre_shift)
      const wide power = wide{1} << (bits + s);
      const wide m = power / d + 1;
      if (m >> bits != 0) break;
      if (m * d - power <= wide{1} << (s + pre_shift)) return {static_cast<std::uint64_t>(m), pre_shift, s, false};
    }
  }
  // s = length always serves, with a multiplier 2^N + m
  const wide rest = (wide{1} << length) - divisor;
  return {static_cast<std::uint64_t>((rest << bits) / divisor + 1), 0, length - 1, true};
}

/// `t = mulhi(n, multiplier) (+ n with adds); q = (t >> shift) + (n < 0)`, multiplier and shift signed; for a negative
/// divisor the quotient is negated.
struct signed_division {
  std::int64_t multiplier = 0;
  int shift = 0;
  bool adds = false;
};

/// Requires: `bits` 16, 32 or 64; `divisor` (without its sign) from 3 to 2^(bits-1), not a power of two.
constexpr signed_division divide_signed_by(std::uint64_t divisor, int bits) {
  using wide = detail::quotient_bits;
  for (int s = 0;; ++s) {  // |n| <= 2^(N-1) asks for e <= 2^(s+1), which s = length - 1 fulfils
    const wide power = wide{1} << (bits + s);
    const wide m = power / divisor + 1;
    if (m * divisor - power > wide{1} << (s + 1)) continue;
    const bool is_large = (m >> (bits - 1)) != 0;  // as a signed number it is m - 2^N
    const auto low = static_cast<std::uint64_t>(m);
    const std::uint64_t extended = is_large && bits < 64 ? low | ~std::uint64_t{0} << bits : low;
    return {static_cast<std::int64_t>(extended), s, is_large};
  }
}

}  // namespace tg::ptx
