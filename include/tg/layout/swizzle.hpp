// swizzle<B, M, S>: B bits of an element index, S positions up, xored into the B bits at position M.
//
//   index    ... y y y . . x x x m m      B = 3, M = 2, S = 5
//                |_____________|          y sits at M + S, x at M
//   swizzled ... y y y . . z z z m m      z = x xor y
//
// Several are joined by ^: `swizzle<2> ^ swizzle<2, 2, 3>` xors bits 5 and 6 into bits 0 and 1, and into bits 2 and 3.
#pragma once

#include <cstdint>

namespace tg {

/// A permutation of element indices that spreads the rows of a tile over the banks; applying it twice gives the index
/// back. Requires: S >= B, so that the bits read are not the bits written.
template <int B, int M = 0, int S = 5> struct swizzle_t {
  static_assert(B >= 0 && M >= 0 && S >= B && M + S + B < 63, "swizzle<B, M, S> requires 0 <= B <= S and M >= 0");

  static constexpr int bits = B;
  static constexpr int base = M;
  static constexpr int shift = S;
  /// The bits of the index that change.
  static constexpr std::int64_t mask = ((std::int64_t{1} << B) - 1) << M;

  /// The bits of the index that say how.
  static constexpr std::int64_t read_mask = mask << S;
  /// Indices come in groups of 2 to the power of it, each permuted in itself.
  static constexpr int period_bits = M + S + B;

  /// What is xored to an index.
  static constexpr std::int64_t term(std::int64_t index) { return (index >> S) & mask; }
  static constexpr std::int64_t apply(std::int64_t index) { return index ^ term(index); }
};

/// Several swizzles of one index, each of which reads it as it came. Requires: no term changes bits that another one reads,
/// so that applying all twice gives the index back.
template <class... Terms> struct swizzles_t {
  static constexpr std::int64_t mask = (Terms::mask | ...);
  static constexpr std::int64_t read_mask = (Terms::read_mask | ...);
  static_assert((mask & read_mask) == 0,
                "TG123: a term of this swizzle changes bits that another one reads; let all read higher bits");
  static constexpr int period_bits = [] {
    int out = 0;
    ((out = Terms::period_bits > out ? Terms::period_bits : out), ...);
    return out;
  }();

  static constexpr std::int64_t apply(std::int64_t index) { return index ^ (Terms::term(index) ^ ...); }
};

template <int B, int M, int S, int B2, int M2, int S2>
constexpr swizzles_t<swizzle_t<B, M, S>, swizzle_t<B2, M2, S2>> operator^(swizzle_t<B, M, S>, swizzle_t<B2, M2, S2>) {
  return {};
}
template <class... Terms, int B, int M, int S>
constexpr swizzles_t<Terms..., swizzle_t<B, M, S>> operator^(swizzles_t<Terms...>, swizzle_t<B, M, S>) {
  return {};
}

/// The value form of `swizzle_t`: `swizzle<5>`.
template <int B, int M = 0, int S = 5> inline constexpr swizzle_t<B, M, S> swizzle{};

}  // namespace tg
