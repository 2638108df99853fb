// Products of quantised blocks with activations in Q8_1: which 16 weights of 512 a lane takes, as bytes in words.
//
//   lane l of formats of 32     bytes 8 * (l % 2) to 8 * (l % 2) + 7 of the nibbles of block l / 2
//   lane l of q8_0              half l % 2 of block l / 2
//   lane l of formats of 256    bytes 8 * (l % 16) to 8 * (l % 16) + 7 of the nibbles of block l / 16
//
// `low` are eight weights and `high` the other eight: those of low and of high nibbles. A weight is d * scale * byte + least *
// minimum (of q4_k and q5_k, less that), so that a sum is d * scale * (bytes times bytes) + least * minimum * s, where s, the
// sum of a group of activations, counts once for each group.
#pragma once

#include <cstddef>

#include <kernels/block_parts.hpp>
#include <tg/dsl/value/byte.hpp>
#include <tg/dsl/value/dot.hpp>

namespace tg::kernels::detail {

using two_words = tg::fixed_array<tg::value<unsigned>, 2>;

/// Sixteen weights. Where all have one scale and one minimum, d and least say it, and what follows them counts for nothing.
struct sixteen_weights {
  two_words low, high;
  tg::value<float> d, least;
  tg::fixed_array<tg::value<int>, 2> scale;
  tg::fixed_array<tg::value<float>, 2> minimum;
};

/// Eight bytes of a tile, from a multiple of 8 on.
template <class Tile, class At> two_words words_at(const Tile& tile, const At& at) {
  const auto both = tg::bit_cast<unsigned>(tg::vec_at<4>(tile, at).get());
  return {both(0_c), both(1_c)};
}
template <class F> two_words each_word(const two_words& x, F f) { return {f(x[0]), f(x[1])}; }
template <class F> two_words each_word(const two_words& x, const two_words& y, F f) { return {f(x[0], y[0]), f(x[1], y[1])}; }
/// Low nibbles of eight bytes, or high ones.
inline two_words nibbles_of(const two_words& x, unsigned shift) {
  return each_word(x, [&](const auto& word) { return word >> shift & 0x0f0f0f0fu; });
}

inline sixteen_weights of_one_scale(const two_words& low, const two_words& high, const tg::value<float>& d,
                                    const tg::value<float>& least) {
  const tg::value<int> nothing = tg::bit_cast<int>(low[0]);
  return {low, high, d, least, {nothing, nothing}, {d, d}};
}

/// `is_signed`: bytes have signs. `has_least`: there are constant parts. `has_one_scale`: one scale for all, and one group of
/// activations. `lanes_of_group`: how many lanes share a group, negative where constant parts are taken away. `low_at(lane)`:
/// where the first activation is; those of `high` are `distance` after it.
template <class Format> struct block_dots {
  static_assert(Format::values == 32 && !std::is_same_v<Format, q8_1>,
                "products with Q8_1 take q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k");
  static constexpr bool is_signed = false, has_least = true, has_one_scale = true;
  static constexpr int lanes_of_group = 2, distance = 16;
  static constexpr bool has_fifth = Format::head > 2, has_m = Format::head % 2 == 0;

  template <class Lane> static auto low_at(const Lane& lane) { return lane / 2_c * 32_c + lane % 2_c * 8_c; }
  template <class Heads, class Quants, class Lane>
  static sixteen_weights read(const Heads& heads, const Quants& quants, const Lane& lane) {
    const auto first = lane / 2_c * constant<Format::head>{};
    const auto words = words_at(quants, lane * 4_c);
    const auto scale = half_at(heads, first);
    const tg::value<float> least = [&] {
      if constexpr (has_m) return half_at(heads, first + 1_c);
      else return scale * (has_fifth ? -16.0f : -8.0f);
    }();
    const auto part = [&](auto is_high) -> two_words {
      const auto four = nibbles_of(words, is_high.value ? 4 : 0);
      if constexpr (has_fifth) {
        // 16 bits for the low nibbles of a block, then 16 for the high ones.
        const auto bits = tg::cast<unsigned>(heads(first + constant<(has_m ? 2 : 1) + is_high.value>{})) >> (lane % 2_c * 8_c);
        return {four[0] | spread_bits(bits, 4), four[1] | spread_bits(bits >> 4u, 4)};
      } else {
        return four;
      }
    };
    return of_one_scale(part(0_c), part(1_c), scale, least);
  }
};

template <> struct block_dots<q8_0> {
  static constexpr bool is_signed = true, has_least = false, has_one_scale = true;
  static constexpr int lanes_of_group = 2, distance = 8;

  template <class Lane> static auto low_at(const Lane& lane) { return lane * 16_c; }
  template <class Heads, class Quants, class Lane>
  static sixteen_weights read(const Heads& heads, const Quants& quants, const Lane& lane) {
    const auto words = tg::bit_cast<unsigned>(tg::vec_at<8>(quants, lane * 8_c).get());
    const auto scale = half_at(heads, lane / 2_c);
    return of_one_scale({words(0_c), words(1_c)}, {words(2_c), words(3_c)}, scale, scale);
  }
};

/// The scales and minima of groups 2c and 2c + 1 of q4_k and q5_k: a byte each, scales first. Words 1 to 3 of a block have
/// them: those of groups 0 to 3 are the low six bits of bytes of words 1 and 2. Those of groups 4 to 7 have four bits in the
/// nibbles of word 3, and their upper two bits on top of those of the first four.
template <class Head, class Chunk> tg::value<unsigned> scales_of_groups(const Head& head, const Chunk& chunk) {
  const auto chosen = tg::let(chunk % 2_c * 0x2222u + 0x5410u);
  const auto is_first = tg::let(chunk < 2u);
  const auto shift = tg::let(tg::select(is_first, 0u, 2u));
  const auto upper = tg::let(tg::select(is_first, 0x3f3f3f3fu, 0x30303030u));
  const auto lower = tg::let(tg::select(is_first, 0u, 0x0f0f0f0fu));
  const auto six = tg::byte_permute(head(1_c), head(2_c), chosen);
  const auto four = tg::byte_permute(head(3_c), head(3_c) >> 4u, chosen);
  return (six >> shift & upper) | (four & lower);
}

template <bool Fifth> struct block_dots<scaled_groups<Fifth>> {
  static constexpr bool is_signed = false, has_least = true, has_one_scale = false;
  static constexpr int lanes_of_group = -4, distance = 32;

  template <class Lane> static auto low_at(const Lane& lane) {
    return lane / 16_c * 256_c + lane % 16_c / 4_c * 64_c + lane % 4_c * 8_c;
  }
  template <class Heads, class Quants, class Lane>
  static sixteen_weights read(const Heads&, const Quants& quants, const Lane& lane) {
    const auto first = lane / 16_c * constant<block_parts<scaled_groups<Fifth>>::block_pitch>{};
    const auto chunk = lane % 16_c / 4_c;
    const auto head = tg::bit_cast<unsigned>(tg::vec_at<8>(quants, first).get());
    const auto words = words_at(quants, first + constant<Fifth ? 24 : 8>{} + lane % 16_c * 4_c);
    const auto numbers = scales_of_groups(head, chunk);
    const auto both = tg::cast<float>(tg::bit_cast<tg::f16>(tg::make_vec(head(0_c))));
    const auto part = [&](unsigned shift, unsigned left) -> two_words {
      const auto four = nibbles_of(words, shift);
      if constexpr (Fifth) {
        const auto bits = words_at(quants, first + 8_c + lane % 4_c * 4_c);
        return each_word(
            four, bits, [&](const auto& q, const auto& fifth) { return q | ((fifth >> (chunk * 2_c)) << left & 0x10101010u); });
      } else {
        return four;
      }
    };
    return {part(0, 4),
            part(4, 3),
            both(0_c),
            both(1_c),
            {tg::cast<int>(tg::byte<0>(numbers)), tg::cast<int>(tg::byte<1>(numbers))},
            {tg::cast<float>(tg::byte<2>(numbers)), tg::cast<float>(tg::byte<3>(numbers))}};
  }
};

/// Scales are of 16 weights, and groups of activations of 32, so that 32 is taken away from each byte.
template <> struct block_dots<q6_k> {
  static constexpr bool is_signed = true, has_least = false, has_one_scale = false;
  static constexpr int lanes_of_group = 4, distance = 64;

  template <class Lane> static auto low_at(const Lane& lane) {
    return lane / 16_c * 256_c + lane % 16_c / 8_c * 128_c + lane % 8_c / 4_c * 32_c + lane % 4_c * 8_c;
  }
  template <class Heads, class Quants, class Lane>
  static sixteen_weights read(const Heads&, const Quants& quants, const Lane& lane) {
    const auto first = lane / 16_c * constant<block_parts<q6_k>::block_pitch>{};
    const auto half = lane % 16_c / 8_c;
    const auto quarter = lane % 8_c / 4_c;
    const auto words = words_at(quants, first + lane % 16_c * 4_c);
    const auto bits = words_at(quants, first + 64_c + half * 16_c + lane % 4_c * 4_c);
    const auto d = half_at(quants, first + 104_c);
    const auto part = [&](unsigned shift, unsigned left) {
      return each_word(nibbles_of(words, shift), bits, [&](const auto& q, const auto& upper) {
        return ((q | ((upper >> (quarter * 2_c)) << left & 0x30303030u)) + 0x60606060u) ^ 0x80808080u;
      });
    };
    // A byte of two, and its sign three times above it.
    const auto chosen = tg::let(lane % 4_c / 2_c * 0x1111u + 0x8880u);
    const auto scale = [&](auto k) {
      const auto both = tg::cast<int>(quants(first + 96_c + half * 4_c + quarter + k));
      return tg::byte_permute(both, both, chosen);
    };
    return {part(0, 4), part(4, 0), d, d, {scale(0_c), scale(2_c)}, {d, d}};
  }
};

}  // namespace tg::kernels::detail
