// The layouts of quantised weights in blocks, as types: how a block lies in memory, and what four neighbouring weights of it
// are.
//
//   format   weights  bytes  a block, from its first byte                                weight
//   q4_0          32     18  d, 16 of nibbles                                            d * (q - 8)
//   q4_1          32     20  d, m, 16 of nibbles                                         d * q + m
//   q5_0          32     22  d, 4 of fifth bits, 16 of nibbles                           d * (q - 16)
//   q5_1          32     24  d, m, 4 of fifth bits, 16 of nibbles                        d * q + m
//   q8_0          32     34  d, 32 signed bytes                                          d * q
//   q8_1          32     36  d, the sum of the block, 32 signed bytes                    d * q
//   q4_k         256    144  d, dmin, 12 of scales, 128 of nibbles                       d * scale * q - dmin * minimum
//   q5_k         256    176  d, dmin, 12 of scales, 32 of fifth bits, 128 of nibbles     likewise
//   q6_k         256    210  128 of nibbles, 64 of upper bits, 16 of scales, d           d * scale * (q - 32)
//   nf4           64     36  a scale in float, 32 of nibbles, the upper one first        scale * table[q]
//
// d, m and dmin are f16. Of the formats of 32 weights, byte j has weight j in its low nibble and j + 16 in its high one; of
// q4_k and q5_k, 32 bytes have one group of 32 in their low nibbles and the next group in their high ones. Source: ggml's block
// structures, as the package gguf reads them, which judges the tests; NF4: Dettmers et al., "QLoRA", 2023.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/constant_table.hpp>
#include <tg/dsl/vector/vec_cast.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// The heads or the quants of blocks that lie in a tile as they lie in memory: `First` 16-bit numbers into a block of `Pitch`.
template <unsigned Pitch, unsigned First, class Tile> struct part_of_blocks {
  static constexpr unsigned pitch = Pitch;
  Tile tile;

  template <class At> auto operator()(const At& at) const { return tile(at + constant<First>{}); }
};
/// How far blocks are apart in a tile of heads or of quants, which has `Own` numbers of each.
template <unsigned Own, class Tile> constexpr auto pitch_in(const Tile&) {
  if constexpr (requires { Tile::pitch; }) return constant<Tile::pitch>{};
  else return constant<Own>{};
}

/// A pair of 16-bit numbers of a tile as one word. Requires: an even index.
template <class Tile, class At> auto word_at(const Tile& tile, const At& at) {
  return tg::bit_cast<unsigned>(tg::vec_at<2>(tile, at).get())(0_c);
}
template <unsigned Pitch, unsigned First, class Tile, class At>
auto word_at(const part_of_blocks<Pitch, First, Tile>& part, const At& at) {
  if constexpr (Pitch % 2 == 0 && First % 2 == 0) return word_at(part.tile, at + constant<First>{});
  else return tg::bit_cast<unsigned>(tg::make_vec(tg::let(part(at)), tg::let(part(at + 1_c))))(0_c);
}
/// The f16 at an index of a tile, as a float.
template <class Tile, class At> auto half_at(const Tile& tile, const At& at) {
  return tg::cast<float>(tg::bit_cast<tg::f16>(tg::let(tile(at))));
}
/// Four floats from four numbers of 0 to 255, each in a byte of a word: `f(float)` of each.
template <class Word, class F> auto of_bytes(const Word& word, F f) {
  const auto number = [&](unsigned k) { return f(tg::cast<float>(word >> (8u * k) & 255u)); };
  return tg::make_vec(number(0), number(1), number(2), number(3));
}

/// Blocks of 32 weights: `Head` 16-bit numbers, then `Rest` of quants. A warp has the numbers of eight blocks in two tiles,
/// heads and quants, because heads in between would shift the quants into each other's banks.
template <unsigned Head, unsigned Rest> struct small_block {
  static constexpr unsigned values = 32, bytes = 2 * (Head + Rest), head = Head, rest = Rest;

  /// The block of weight v of eight, and the scale that it begins with.
  template <class V> static auto block(const V& v) { return v / 32_c; }
  template <class Heads, class V> static auto d(const Heads& heads, const V& v) {
    return half_at(heads, block(v) * pitch_in<Head>(heads));
  }
  template <class Heads, class V> static auto m(const Heads& heads, const V& v) {
    return half_at(heads, block(v) * pitch_in<Head>(heads) + 1_c);
  }
};

/// Nibbles of four weights, one in each byte. v: the first of them.
template <class Quants, class V> auto nibbles(const Quants& quants, const V& v) {
  const auto at = v % 32_c;
  return word_at(quants, v / 32_c * pitch_in<8>(quants) + at % 16_c / 2_c) >> (at / 16_c * 4_c) & 0x0f0f0f0fu;
}
/// Four bits, from bit 0 on, each moved to bit `to` of a byte of its own. Requires: at most 4.
template <class Bits> auto spread_bits(const Bits& bits, unsigned to) {
  // The product is the four bits, and again 7, 14 and 21 bits further up, where one of them is in the right place each time.
  return (bits & 15u) * (0x00204081u << to) & 0x01010101u << to;
}
/// Fifth bits of four weights, in bit 4 of each byte.
template <class Heads, class First, class V> auto fifth_bits(const Heads& heads, const First& first, const V& v) {
  const auto at = v % 32_c;
  return spread_bits(tg::let(tg::cast<unsigned>(heads(first + at / 16_c)) >> (at % 16_c)), 4);
}

}  // namespace detail

/// The formats of 32 weights. `read(heads, quants, v, warp)`: four weights from number v of the 256 of a warp on, as floats.
struct q4_0 : detail::small_block<1, 8> {
  template <class H, class Q, class V, class W> static auto read(const H& heads, const Q& quants, const V& v, const W&) {
    const auto scale = tg::let(d(heads, v));
    return detail::of_bytes(tg::let(detail::nibbles(quants, v)), [&](const auto& q) { return scale * (q - 8.0f); });
  }
};
struct q4_1 : detail::small_block<2, 8> {
  template <class H, class Q, class V, class W> static auto read(const H& heads, const Q& quants, const V& v, const W&) {
    const auto scale = tg::let(d(heads, v)), least = tg::let(m(heads, v));
    return detail::of_bytes(tg::let(detail::nibbles(quants, v)), [&](const auto& q) { return scale * q + least; });
  }
};
struct q5_0 : detail::small_block<3, 8> {
  template <class H, class Q, class V, class W> static auto read(const H& heads, const Q& quants, const V& v, const W&) {
    const auto scale = tg::let(d(heads, v));
    const auto q =
        tg::let(detail::nibbles(quants, v) | detail::fifth_bits(heads, block(v) * detail::pitch_in<3>(heads) + 1_c, v));
    return detail::of_bytes(q, [&](const auto& each) { return scale * (each - 16.0f); });
  }
};
struct q5_1 : detail::small_block<4, 8> {
  template <class H, class Q, class V, class W> static auto read(const H& heads, const Q& quants, const V& v, const W&) {
    const auto scale = tg::let(d(heads, v)), least = tg::let(m(heads, v));
    const auto q =
        tg::let(detail::nibbles(quants, v) | detail::fifth_bits(heads, block(v) * detail::pitch_in<4>(heads) + 2_c, v));
    return detail::of_bytes(q, [&](const auto& each) { return scale * each + least; });
  }
};
/// Quants that are signed bytes. `Head` is 2 where the sum of the block stands beside its scale.
template <unsigned Head> struct signed_bytes : detail::small_block<Head, 16> {
  using base = detail::small_block<Head, 16>;
  template <class H, class Q, class V, class W> static auto read(const H& heads, const Q& quants, const V& v, const W&) {
    const auto scale = tg::let(base::d(heads, v));
    // With its sign bit turned round, a byte is 128 more than it was.
    return detail::of_bytes(tg::let(detail::word_at(quants, v / 2_c) ^ 0x80808080u),
                            [&](const auto& q) { return scale * (q - 128.0f); });
  }
};
using q8_0 = signed_bytes<1>;
using q8_1 = signed_bytes<2>;

namespace detail {

/// The scale and the minimum, of 6 bits each, of group g of q4_k and q5_k, whose 12 bytes are words 1 to 3 of `head`. Those of
/// the first four groups are the low bits of bytes g and g + 4; those of the others have four bits in byte g + 4, and above
/// them the upper two of bytes g - 4 and g.
template <class Head, class G> auto scale_and_minimum(const Head& head, const G& g) {
  const auto shift = tg::let(g % 4_c * 8_c);
  const auto byte = [&](auto word) { return tg::let(head(word) >> shift & 255u); };
  const auto low = byte(1_c), middle = byte(2_c), last = byte(3_c);
  const auto is_first = g < 4u;
  return tg::fixed_array{tg::cast<float>(tg::select(is_first, low & 63u, (last & 15u) | low >> 6u << 4u)),
                         tg::cast<float>(tg::select(is_first, middle & 63u, last >> 4u | middle >> 6u << 4u))};
}

/// q4_k, and with `Fifth` q5_k.
template <bool Fifth> struct scaled_groups {
  static constexpr unsigned values = 256, bytes = Fifth ? 176 : 144, head = 0, rest = bytes / 2;

  template <class H, class Tile, class V, class W> static auto read(const H&, const Tile& tile, const V& v, const W&) {
    const auto group = v / 32_c;
    const auto within = v % 32_c;
    const auto head = tg::bit_cast<unsigned>(tg::vec_at<8>(tile, 0_c).get());
    const auto both = tg::cast<float>(tg::bit_cast<tg::f16>(tg::make_vec(head(0_c))));
    const auto numbers = detail::scale_and_minimum(head, group);
    const auto scale = tg::let(both(0_c) * numbers[0]);
    const auto least = tg::let(both(1_c) * numbers[1]);
    const auto low = word_at(tile, constant<Fifth ? 24 : 8>{} + group / 2_c * 16_c + within / 2_c);
    const auto four = low >> (group % 2_c * 4_c) & 0x0f0f0f0fu;
    const auto all = [&] {
      if constexpr (Fifth) return tg::let(four | (word_at(tile, 8_c + within / 2_c) >> group & 0x01010101u) << 4u);
      else return tg::let(four);
    }();
    return of_bytes(all, [&](const auto& q) { return scale * q - least; });
  }
};

}  // namespace detail

using q4_k = detail::scaled_groups<false>;
using q5_k = detail::scaled_groups<true>;

/// Half a block, 128 weights, has four quarters: the low nibbles of its first and second 32 bytes, then their high ones. Byte l
/// of 32 has two upper bits for each of them.
struct q6_k {
  static constexpr unsigned values = 256, bytes = 210, head = 0, rest = 105;

  template <class H, class Tile, class V, class W> static auto read(const H&, const Tile& tile, const V& v, const W&) {
    const auto half = v / 128_c;
    const auto quarter = v % 128_c / 32_c;
    const auto within = v % 32_c;
    const auto four = detail::word_at(tile, half * 32_c + quarter % 2_c * 16_c + within / 2_c) >> (quarter / 2_c * 4_c);
    const auto upper = detail::word_at(tile, 64_c + half * 16_c + within / 2_c) >> (quarter * 2_c);
    const auto q = tg::let((four & 0x0f0f0f0fu) | (upper & 0x03030303u) << 4u);
    const auto both = tg::let(tg::cast<unsigned>(tile(96_c + half * 4_c + quarter)));
    const auto scale = tg::cast<int>((both >> (within / 16_c * 8_c) & 255u) ^ 128u) - 128;
    const auto factor = tg::let(detail::half_at(tile, 104_c) * tg::cast<float>(scale));
    return detail::of_bytes(q, [&](const auto& each) { return factor * (each - 32.0f); });
  }
};

/// Blocks of 64. The numbers are quantiles of the normal distribution, scaled to [-1, 1], with 0 among them.
struct nf4 {
  static constexpr unsigned values = 64, bytes = 36, head = 0, rest = 18;
  static constexpr tg::fixed_array<float, 16> numbers{
      -1.0f,        -0.6961928f, -0.52507305f, -0.39491749f, -0.28444138f, -0.18477343f, -0.091050036f, 0.0f,
      0.079580299f, 0.1609302f,  0.2461123f,   0.33791524f,  0.44070983f,  0.56261700f,  0.72295684f,   1.0f};

  /// A number is fetched from the lane that has it: lane q has number q % 16. All lanes of the warp take part.
  template <class H, class Tile, class V, class W> static auto read(const H&, const Tile& tile, const V& v, const W& warp) {
    const auto own = tg::let(tg::constant_table<"nf4">(numbers)(warp.lane % 16_c));
    const auto first = v / 64_c * 18_c;
    const auto scale = tg::let(tg::bit_cast<float>(detail::word_at(tile, first)));
    const auto bytes = tg::let(tg::cast<unsigned>(tile(first + 2_c + v % 64_c / 4_c)));
    const auto number = [&](unsigned shift) { return scale * warp.shuffle(own, bytes >> shift & 15u); };
    return tg::make_vec(number(4), number(0), number(12), number(8));
  }
};

}  // namespace tg::kernels
