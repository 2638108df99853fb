// swizzle<B, M, S>: B bits of an element index, S positions up, xored into the B bits at position M.
//
//   index    ... y y y . . x x x m m      B = 3, M = 2, S = 5
//                |_____________|          y sits at M + S, x at M
//   swizzled ... y y y . . z z z m m      z = x xor y
#pragma once

#include <cstdint>

namespace tg {

/// A permutation of element indices that spreads the rows of a tile over the banks; applying it twice gives the index
/// back. Requires: S >= B, so that the bits read are not the bits written.
template <int B, int M = 0, int S = 5>
struct swizzle_t {
  static_assert(B >= 0 && M >= 0 && S >= B && M + S + B < 63, "swizzle<B, M, S> requires 0 <= B <= S and M >= 0");

  static constexpr int bits = B;
  static constexpr int base = M;
  static constexpr int shift = S;
  /// The bits of the index that change.
  static constexpr std::int64_t mask = ((std::int64_t{1} << B) - 1) << M;

  static constexpr std::int64_t apply(std::int64_t index) { return index ^ ((index >> S) & mask); }
};

/// The value form of `swizzle_t`: `swizzle<5>`.
template <int B, int M = 0, int S = 5>
inline constexpr swizzle_t<B, M, S> swizzle{};

}  // namespace tg
