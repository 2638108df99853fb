// y = W x, with W in quantised blocks and x in groups of Q8_1 (kernels/q8_1.hpp): products of bytes, and one product of floats
// for each scale of weights and activations.
//
// A warp, or some warps, go along a row by 1024 weights; a lane takes twice 16 of them (kernels/block_dots.hpp). The next 1024
// are under way meanwhile.
#pragma once

#include <kernels/block_dots.hpp>
#include <kernels/block_matvec.hpp>
#include <tg/dsl/kernel/launch_bounds.hpp>

namespace tg::kernels {

namespace detail {

/// Rows of activations: bytes, and pairs (d, s).
using q8_1_bytes = tg::in2<std::int8_t, tg::multiple_of<32>>;
using q8_1_scales = tg::in2<tg::f16x2>;

/// A lane's weights of 512, the first or the second of a part.
template <class Format, class Tiles, class Half, class Lane>
sixteen_weights weights_of_half(const Tiles& tiles, Half, const Lane& lane) {
  constexpr unsigned blocks = Half::value * (512 / Format::values);
  constexpr constant<blocks * block_parts<Format>::block_pitch> first;
  return block_dots<Format>::read(tg::subview(tiles.heads, tg::slice(constant<blocks * Format::head>{})),
                                  tg::subview(tiles.quants, tg::slice(first)), lane);
}

/// Adds the products of 16 weights with row b of activations, of which `low` is the first, in `group`: to `own`, and what has
/// to count once for each group to `shared`.
template <class Dots, class Vector, class Low, class Group, class Own, class Shared>
void add_products(const sixteen_weights& w, const q8_1_bytes& q, const q8_1_scales& ds, const Vector& b, const Low& low,
                  const Group& group, Own& own, Shared& shared) {
  const auto dot = [](const two_words& weights, const auto& x0, const auto& x1, const auto& before) {
    const auto bytes = [](const auto& word) {
      if constexpr (Dots::is_signed) return tg::bit_cast<int>(word);
      else return word;
    };
    return tg::dp4a(bytes(weights[1]), x1, tg::dp4a(bytes(weights[0]), x0, before));
  };
  const auto d_of = [](const auto& numbers) { return tg::cast<float>(tg::low(numbers)); };
  const auto s_of = [](const auto& numbers) { return tg::cast<float>(tg::high(numbers)); };
  const auto add_all = [&](const auto& sum) {
    const auto numbers = tg::let(ds(b, group));
    own(b) = tg::fma(w.d * d_of(numbers), tg::cast<float>(sum), own(b));
    if constexpr (Dots::has_least) shared(b) = tg::fma(w.least, s_of(numbers), shared(b));
  };
  if constexpr (Dots::distance == 8) {
    const auto x = tg::bit_cast<int>(tg::vec_at<16>(q, b, low).get());
    add_all(dot(w.high, x(2_c), x(3_c), dot(w.low, x(0_c), x(1_c), 0)));
  } else {
    const auto x = tg::bit_cast<int>(tg::vec_at<8>(q, b, low).get());
    const auto other = tg::bit_cast<int>(tg::vec_at<8>(q, b, low + constant<Dots::distance>{}).get());
    const auto sum = dot(w.low, x(0_c), x(1_c), 0);
    if constexpr (Dots::has_one_scale) {
      add_all(dot(w.high, other(0_c), other(1_c), sum));
    } else {
      const auto first = tg::let(ds(b, group)), second = tg::let(ds(b, group + constant<Dots::distance / 32>{}));
      const auto low_sum = tg::cast<float>(w.scale[0] * sum);
      const auto high_sum = tg::cast<float>(w.scale[1] * dot(w.high, other(0_c), other(1_c), 0));
      own(b) = tg::fma(w.d, tg::fma(high_sum, d_of(second), low_sum * d_of(first)), own(b));
      if constexpr (Dots::has_least)
        shared(b) = tg::fma(w.least, tg::fma(w.minimum[1], s_of(second), w.minimum[0] * s_of(first)), shared(b));
    }
  }
}

/// Adds to `own(b)` the products of a row with row b of activations, as far as this warp of `Warps` takes them. All lanes take
/// part.
template <class Format, unsigned Vectors, unsigned Warps, class Warp, class Row, class Columns, class Tiles>
void add_row(const Warp& warp, const block_rows<Format>& w, const Row& row, const q8_1_bytes& q, const q8_1_scales& ds,
             const Columns& columns, const Tiles& tiles, tg::regs<float, int(Vectors)>& own) {
  using dots = block_dots<Format>;
  tg::regs<float, int(Vectors)> shared = 0.0f;
  along_blocks<block_parts<Format, 1024>>(
      warp, w, row, warp.index % constant<Warps>{}, constant<Warps>{}, columns, tiles, [&](const auto& part, auto is_end) {
        tg::unroll<2>([&](auto half) {
          const auto low = tg::let(part * 1024_c + half * 512_c + dots::low_at(warp.lane));
          const auto group = tg::let(part * 32_c + half * 16_c + dots::low_at(warp.lane) / 32_c);
          const auto add = [&] {
            const auto weights = weights_of_half<Format>(tiles, half, warp.lane);
            tg::unroll<Vectors>([&](auto b) { add_products<dots>(weights, q, ds, b, low, group, own, shared); });
          };
          if constexpr (is_end.value) tg::if_(low < columns, add);
          else add();
        });
      });
  if constexpr (dots::has_least)
    tg::unroll<Vectors>([&](auto b) { own(b) = tg::fma(shared(b), 1.0f / float(dots::lanes_of_group), own(b)); });
}

/// Blocks that a multiprocessor has to hold: as many as leave ptxas registers enough for addresses of all units of a part.
template <class Format, unsigned Vectors, int Matrices = 1>
inline constexpr int blocks_at_once = [] {
  constexpr unsigned rounds = block_parts<Format, 1024>::rounds;
  if (rounds > 16 && (Vectors > 4 || Matrices == 2)) return 1;
  if (Vectors > 4) return 3 - Matrices;
  return 4 - int(rounds > 4) - int(Matrices == 2 && rounds > 8);
}();

}  // namespace detail

/// y(b, r) = sum over j of weight j of row r times x(b, j), for `Vectors` rows b, 1 to 8, where x(b, j) is d * q(b, j) with d
/// of ds(b, j / 32). `Warps` warps for each row: 1, 2, 4 or 8. Format: q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k. Launch
/// with `block_matvec_grid<Warps>(rows)`. Requires: columns is a multiple of `Format::values` and not 0; columns + 1024 * Warps
/// < 2^32; finite x. Units: products of 16 weights are exact, of q4_k, q5_k and q6_k those of 8; sums in float. Constant parts
/// of weights are multiplied with the sums in ds. Cost: reads w once, in units of `block_unit<Format>` 16-bit numbers.
template <class Format, unsigned Vectors = 1, unsigned Warps = 1>
inline constexpr auto block_matvec_q8_1 = tg::kernel<"block_matvec_q8_1">(
    tg::block<256> | tg::min_blocks<detail::blocks_at_once<Format, Vectors>>,
    [](auto block, block_rows<Format> w, detail::q8_1_bytes q, detail::q8_1_scales ds, tg::out2<float> y,
       tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::multiple_of<Format::values>> columns) {
      static_assert(Vectors >= 1 && Vectors <= 8, "block_matvec_q8_1: 1 to 8 vectors");
      static_assert(Warps == 1 || Warps == 2 || Warps == 4 || Warps == 8, "block_matvec_q8_1: 1, 2, 4 or 8 warps for a row");
      using parts = detail::block_parts<Format, 1024>;
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * constant<8 / Warps>{} + warp.index / constant<Warps>{});
      const auto heads = parts::heads();
      const auto quants = parts::quants();
      const detail::block_tiles tiles{tg::row(heads, warp.index), tg::row(quants, warp.index)};
      tg::regs<float, int(Vectors)> own = 0.0f;
      detail::add_row<Format, Vectors, Warps>(warp, w, tg::let(tg::min(row, rows - 1u)), q, ds, columns, tiles, own);
      detail::put_sums<Vectors, Warps>(block, row, rows, [&](auto b, const auto& sum) { y(b, row) = sum; }, own);
    });

}  // namespace tg::kernels
