// C = X * W^T where the weights W are quantised: they become tiles of 16-bit floats in registers, on the way into the product.
//
// Weights are the left operand, so that each is converted by one thread, once for all tokens of the block; the result is stored
// transposed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// The parameters of a kernel beyond those that all have.
template <class...> struct weight_parameters {};

/// Weights in bytes and a scale for each 32 of a row: Q8_0 with its two parts in matrices of their own. `q`: n x k. `d`: k / 32
/// x n, the scales of one group side by side.
struct q8_0_weights {
  static constexpr int step = 64;
  using parameters = weight_parameters<tg::in2<std::int8_t, tg::multiple_of<16>>, tg::in2<tg::f16, tg::multiple_of<8>>>;

  template <int Rows, class Row, class At, class N, class K, class Q, class D>
  static auto stage(const Row& row, const At& at, const N& n, const K& k, const Q& q, const D& d) {
    return tg::stage(tg::tile_at<Rows, 64>(tg::sized(q, n, k), row, at),
                     tg::tile_at<2, Rows>(tg::sized(d, (k + 31_c) / 32_c, n), at / 32_c, row));
  }
  /// The weights of 32 columns, number `Part` of the stage.
  template <int Rows, int Part, class Q, class D> static auto weights(const Q& q, const D& d) {
    return tg::cast<float>(tg::tile_at<Rows, 32>(q, 0_c, tg::constant<32 * Part>{})) *
           tg::cast<float>(tg::tile_at<Rows, 1>(tg::transposed(d), 0_c, tg::constant<Part>{}));
  }
};

/// The number that an unsigned below 2^23 stands for, less `Bias`: put where the fraction of 2^23 is. PTX: or, sub.
template <int Bias = 0, class X> auto small_to_float(const X& x) {
  return tg::map(
      [](const auto& word) { return tg::bit_cast<float>(word | 0x4b000000u) - (8388608.0f + static_cast<float>(Bias)); }, x);
}

/// Weights of 4 bits and a scale for each `Group` of a row, as GPTQ lays them out: `words`: k / 8 x n, the lowest bits of a
/// word are the first weight, 8 stands for 0. `scales`: k / Group x n. Requires: k is a multiple of 8; the last group may be
/// cut.
template <int Group = 128> struct w4a16_weights {
  static_assert(Group == 32 || Group % 64 == 0, "w4a16_weights: groups of 32, or of a multiple of 64");
  static constexpr int step = 64;
  using parameters = weight_parameters<tg::in2<unsigned, tg::multiple_of<4>>, tg::in2<tg::f16, tg::multiple_of<8>>>;

  template <int Rows, class Row, class At, class N, class K, class W, class S>
  static auto stage(const Row& row, const At& at, const N& n, const K& k, const W& words, const S& scales) {
    return tg::stage(
        tg::tile_at<8, Rows>(tg::sized(words, (k + 7_c) / 8_c, n), at / 8_c, row),
        tg::tile_at<(Group < 64 ? 2 : 1), Rows>(tg::sized(scales, (k + tg::constant<Group - 1>{}) / tg::constant<Group>{}, n),
                                                at / tg::constant<Group>{}, row));
  }
  template <int Rows, int Part, class W, class S> static auto weights(const W& words, const S& scales) {
    return small_to_float<8>(tg::unpacked<4>(tg::tile_at<Rows, 4>(tg::transposed(words), 0_c, tg::constant<4 * Part>{}))) *
           tg::cast<float>(tg::tile_at<Rows, 1>(tg::transposed(scales), 0_c, tg::constant<(Group < 64 ? Part : 0)>{}));
  }
};

/// Weights in blocks of Q4_K, 256 of a row in 36 words, taken apart by `split_q4k`. `heads`: k / 64 x n, the first four words
/// of the blocks of a row below each other. `quants`: n x k / 8, the other 32 words.
struct q4k_weights {
  static constexpr int step = 256;
  using parameters = weight_parameters<tg::in2<unsigned, tg::multiple_of<4>>, tg::in2<unsigned, tg::multiple_of<4>>>;

  template <int Rows, class Row, class At, class N, class K, class H, class Q>
  static auto stage(const Row& row, const At& at, const N& n, const K& k, const H& heads, const Q& quants) {
    return tg::stage(tg::tile_at<4, Rows>(tg::sized(heads, k / 64_c, n), at / 64_c, row),
                     tg::tile_at<Rows, 32>(tg::sized(quants, n, k / 8_c), row, at / 8_c));
  }
  /// Group Part of the block: `d * scale * nibble - dmin * minimum`. Groups 2 p and 2 p + 1 are the low and the high nibbles of
  /// words 8 p to 8 p + 7. Of the 12 bytes behind d and dmin, those of the first four groups are the low six bits of byte g
  /// (scale) and g + 4 (minimum); those of the others have four bits in the nibbles of byte g + 4, and above them the two upper
  /// bits of bytes g - 4 and g.
  template <int Rows, int Part, class Heads, class Quants> static auto weights(const Heads& heads, const Quants& quants) {
    const auto word = [&](auto number) { return tg::tile_at<Rows, 1>(tg::transposed(heads), 0_c, number); };
    const auto byte = [&](auto number) {
      return (word(tg::constant<1 + number.value / 4>{}) >> (8u * (number.value % 4))) & 255u;
    };
    const auto half = [&](unsigned shift) {
      return tg::map(
          [shift](const auto& x) { return tg::cast<float>(tg::bit_cast<tg::f16>(tg::cast<std::uint16_t>(x >> shift))); },
          word(0_c));
    };
    const auto scale = [&] {
      if constexpr (Part < 4) return byte(tg::constant<Part>{}) & 63u;
      else return (byte(tg::constant<Part + 4>{}) & 15u) | ((byte(tg::constant<Part - 4>{}) >> 6u) << 4u);
    }();
    const auto minimum = [&] {
      if constexpr (Part < 4) return byte(tg::constant<Part + 4>{}) & 63u;
      else return (byte(tg::constant<Part + 4>{}) >> 4u) | ((byte(tg::constant<Part>{}) >> 6u) << 4u);
    }();
    const auto bytes = tg::unpacked<8>(tg::tile_at<Rows, 8>(quants, 0_c, tg::constant<Part / 2 * 8>{}));
    const auto nibbles = (bytes >> (Part % 2 * 4u)) & 15u;
    return tg::fma(small_to_float(nibbles), half(0) * small_to_float(scale), -(half(16) * small_to_float(minimum)));
  }
};

/// Where the words of n rows of `columns` weights in Q4_K blocks go, row after row as a file has them: `heads` with rows
/// `heads_apart` words apart, `quants` with rows columns / 8 words apart.
/// Requires: columns is a multiple of 256; `heads` has columns / 64 * heads_apart words, `quants` n * columns / 8.
inline void split_q4k(std::span<const unsigned> words, unsigned n, unsigned columns, unsigned heads_apart,
                      std::span<unsigned> heads, std::span<unsigned> quants) {
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t block = 0; block < columns / 256; ++block) {
      const auto from = words.subspan((row * (columns / 256) + block) * 36, 36);
      for (std::size_t w = 0; w < 4; ++w) heads[(block * 4 + w) * heads_apart + row] = from[w];
      std::copy(from.begin() + 4, from.end(), quants.begin() + static_cast<std::ptrdiff_t>(row * columns / 8 + block * 32));
    }
}

/// Rows of W of a block.
inline constexpr int dequantising_rows = 64;

namespace detail {

/// Part `Part` of the weights of a stage; behind them stand the tokens and the number of the step.
template <class Format, int Rows, int Part, class... Tile> auto weights_of(const std::tuple<Tile...>& tiles) {
  return [&]<std::size_t... N>(std::index_sequence<N...>) {
    return Format::template weights<Rows, Part>(std::get<N>(tiles)...);
  }(std::make_index_sequence<sizeof...(Tile) - 2>{});
}

template <class Format, class T, int Split, int Tokens, int Sm, class... Weights>
constexpr auto make_dequantising_gemm(weight_parameters<Weights...>) {
  using out = std::conditional_t<Split == 1, T, float>;
  return tg::kernel<"dequantising_gemm">(
      tg::block<128> | tg::for_sm<Sm>,
      [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::out2<out, tg::multiple_of<16 / int(sizeof(out))>> c,
         tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k, Weights... weights) {
        constexpr int rows = dequantising_rows, parts = Format::step / 32;
        constexpr tg::constant<Format::step> step{};
        const auto row = tg::let(block.index.x * tg::constant<rows>{});
        const auto token = tg::let(block.index.y * tg::constant<Tokens>{});
        // Steps of the depth that a part has: from `from` to before `end`.
        const auto length = (k + tg::constant<Format::step * Split - 1>{}) / tg::constant<Format::step * Split>{};
        const auto from = tg::choose<(Split > 1)>(tg::let(block.index.z * (length * step)), 0_c);
        const auto end = tg::choose<(Split > 1)>(tg::let(tg::max(tg::min(from + length * step, k), from)), k.get());
        const auto first = tg::choose<(Split > 1)>(tg::let(block.index.z * m), 0_c);
        auto sum = tg::zeros<float, rows, Tokens>(block);
        tg::pipeline<2>(
            block, tg::steps(end - from, step),
            [&](auto offset) {
              const auto at = from + offset;
              return tg::stage(Format::template stage<rows>(row, at, n, k, weights...),
                               tg::tile_at<Tokens, Format::step>(tg::sized(x, m, k), token, at));
            },
            [&](auto first, auto... rest) {
              const auto tiles = std::make_tuple(first, rest...);
              const auto token_part = tg::transposed(std::get<sizeof...(rest) - 1>(tiles));
              tg::unroll<parts>([&](auto part) {
                const auto right = tg::depth_slice<32>(token_part, tg::constant<32 * part.value>{});
                sum += tg::dot(tg::cast<T>(weights_of<Format, rows, part.value>(tiles)), right);
              });
            });
        tg::tile_at<Tokens, rows>(tg::sized(c, first + m, n), first + token, row) = tg::cast<out>(tg::transposed(sum));
      });
}

}  // namespace detail

/// c = x * w^T: (x, c, m, n, k, weights...) where x is m x k, the weights stand for n x k, c is m x n; x and c of T: f16 or
/// bf16. `Format` says how weights lie, as the last parameters: `q8_0_weights` (q, d), `w4a16_weights<128>` (words, scales),
/// `q4k_weights` (heads, quants). Launch with `dequantising_grid<Tokens>(m, n)`.
/// Tokens: rows of x that a block takes; 16 for few, 64 or 128 for many.
/// Requires: what the format says of k; for Q4_K a multiple of 256.
/// Units: weights are rounded to T once, sums are in float.
template <class Format, class T, int Tokens = 64, int Sm = 80>
inline constexpr auto dequantising_gemm =
    detail::make_dequantising_gemm<Format, T, 1, Tokens, Sm>(typename Format::parameters{});

/// `dequantising_gemm` in `Split` parts of the depth, for so few tokens that a GPU has more multiprocessors than blocks: (x,
/// parts, m, n, k, weights...) where `parts` is Split * m x n of float, the sums of one part below those of the other. Launch
/// with `dequantising_grid<Tokens>(m, n, Split)`, then add them by `gemm_join<gemm_options{.split = Split}, T>(gemm_sums)` of
/// <kernels/gemm.hpp>.
template <class Format, class T, int Split, int Tokens = 16, int Sm = 80>
inline constexpr auto dequantising_parts =
    detail::make_dequantising_gemm<Format, T, Split, Tokens, Sm>(typename Format::parameters{});

/// Blocks for m tokens and n rows of weights, in `split` parts.
template <int Tokens = 64>
constexpr auto dequantising_grid(unsigned m, unsigned n, unsigned split = 1,
                                 source_location where = source_location::current()) {
  return tg::grid((n + dequantising_rows - 1) / dequantising_rows, (m + Tokens - 1) / Tokens, split, where);
}

}  // namespace tg::kernels
