// C = epilogue(A * B) by as many blocks as run at once. Each makes as many whole tiles as all of them can have; the steps of
// the tiles that are left are shared out evenly, so that all blocks end together, and a second kernel adds the tiles that
// several blocks have a part of. While the sums of a tile are stored, the operands of the next one are on their way. No block
// waits for another, and the sums are the same in each run with as many blocks.
//
//   const auto product = gemm_stream<tg::bf16>(gemm_sums);
//   const auto join = gemm_stream_join<tg::bf16>(gemm_sums);
//   const unsigned blocks = gemm_stream_blocks(product, m, n, k, gpu.limits().multiprocessors);
//   gpu.launch(product, tg::grid(blocks), a, b, c, parts, m, n, k);  // parts: 256 * blocks rows, as wide as a tile
//   gpu.launch(join, gemm_stream_join_grid(product, m, n, blocks), parts, c, m, n, k, blocks);
#pragma once

#include <algorithm>
#include <cstdint>

#include <kernels/gemm.hpp>
#include <kernels/gemm_turns.hpp>

namespace tg::kernels {

/// A kernel (a, b, c, parts, m, n, k, extra...): a product as `gemm` makes it, by the blocks of a one-dimensional grid of any
/// size. `parts` has 256 rows for each block, as wide as a tile, for the sums of tiles that several blocks have a part of:
/// from row 256 * b on those of the first such tile of block b, 128 rows behind them those of the next one. `gemm_stream_join`
/// makes elements of c of them.
/// Requires: as `gemm`; one block has fewer than 2^31 steps.
template <gemm_options Options, class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm_stream(Epilogue epilogue, tg::for_sm_t<Sm> /*sm*/ = {}) {
  static_assert(Options.split == 1 && !Options.batched, "gemm_stream: one product, whose launch says how many blocks share it");
  using in = typename gemm_elements<T>::in;
  using sum_type = typename gemm_elements<T>::sum;
  using out = typename gemm_elements<T>::out;
  using in_view = tg::in2<in, gemm_leading<in>>;
  using plan = gemm_plan<in, Options.columns, Sm>;
  const auto body = [epilogue](auto block, in_view a, in_view b, tg::out2<out, gemm_leading<out>> c,
                               tg::out2<sum_type, tg::multiple_of<4>> parts, tg::scalar<unsigned> m, tg::scalar<unsigned> n,
                               tg::scalar<unsigned> k, Extra... extra) {
    constexpr int step = gemm_step<Options, in, Sm>;
    const gemm_turns<Options, step> turns(block.grid.x, m, n, k);
    const auto own = turns.of_block(block.index.x);
    const gemm_rows of{0_c, m.get(), 0_c, 0_c};
    auto sum = tg::zeros<sum_type, 128, Options.columns>(plan::team(block));
    tg::add_segments<plan::stages>(
        block, sum, tg::steps(own.count, 1_c),
        [&](const auto& turn) {
          const auto at = own.step_of(turn);
          const auto place = turns.place_of(at.tile);
          return stage_of_tile<Options, step>(of, a, b, n, place.down * 128_c, place.across * tg::constant<Options.columns>{},
                                              at.step * tg::constant<step>{}, k.get());
        },
        product_of_stage<Options, sum_type>, [&](const auto& turn) { return own.length_from(turn); },
        [&](const auto& turn) {
          const auto at = own.step_of(turn);
          const auto found = turns.place_of(at.tile);
          tg::if_(own.has_all(turn, at), [&] {
            const auto place = make_place<128, Options.columns>(0_c, found.down, found.across, m.get(), n.get());
            place.of_elements(c) = tg::cast<out>(epilogue(tg::eval(sum), place, extra...));
          }).else_([&] {
            const auto row = block.index.x * 256_c + own.part_of(turn) * 128_c;
            tg::tile_at<128, Options.columns>(tg::sized(parts, block.grid.x * 256_c, tg::constant<Options.columns>{}), row,
                                              0_c) = sum;
          });
        });
  };
  return tg::kernel<"gemm_stream">(gemm_block<Options, in, Sm>(), with_tile<Options>(body));
}
template <class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm_stream(Epilogue epilogue, tg::for_sm_t<Sm> sm = {}) {
  return gemm_stream<gemm_options{}, T, Extra...>(epilogue, sm);
}

/// The elements of c whose tile several blocks of a `gemm_stream` have a part of: (parts, c, m, n, k, blocks, extra...). `Sm`:
/// that of the product. Launch with `gemm_stream_join_grid(product, m, n, blocks)`.
template <gemm_options Options, class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm_stream_join(Epilogue epilogue, tg::for_sm_t<Sm> /*sm*/ = {}) {
  using in = typename gemm_elements<T>::in;
  using sum_type = typename gemm_elements<T>::sum;
  using out = typename gemm_elements<T>::out;
  return tg::kernel<"gemm_stream_join">(
      tg::block<128>, [epilogue](auto block, tg::in2<sum_type, tg::multiple_of<4>> parts, tg::out2<out, gemm_leading<out>> c,
                                 tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k,
                                 tg::scalar<unsigned> blocks, Extra... extra) {
        const gemm_turns<Options, gemm_step<Options, in, Sm>> turns(blocks, m, n, k);
        const auto number = block.index.z;
        const auto begin = tg::let(number * turns.steps());
        const auto first = turns.block_of(begin), last = turns.block_of(begin + turns.steps() - 1u);
        tg::if_(number < turns.left() && first != last, [&] {
          const auto part = [&](const auto& b) {
            const auto own = tg::let(number - turns.begin_of(b) / turns.steps());
            const auto row = tg::let(b * 256_c + own * 128_c + block.index.y * 16_c);
            return tg::tile_at<16, 128>(tg::sized(parts, blocks * 256_c, tg::constant<Options.columns>{}), row,
                                        block.index.x * 128_c);
          };
          auto sum = tg::full_like_load<sum_type>(block, part(first), sum_type{});
          tg::for_(tg::range(first, last + 1u), [&](auto b) { sum += tg::load(block, part(b)); });
          const auto tile = turns.place_of(turns.first_left() + number);
          const auto place = make_place<16, 128>(0_c, tile.down * 8_c + block.index.y,
                                                 tile.across * tg::constant<Options.columns / 128>{} + block.index.x, m, n);
          place.of_elements(c) = tg::cast<out>(epilogue(tg::eval(sum), place, extra...));
        });
      });
}
template <class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm_stream_join(Epilogue epilogue, tg::for_sm_t<Sm> sm = {}) {
  return gemm_stream_join<gemm_options{}, T, Extra...>(epilogue, sm);
}

/// Tiles of a product of m x n.
template <class Kernel> constexpr std::uint64_t gemm_stream_tiles(unsigned m, unsigned n) {
  using tile = tile_of_kernel<gemm_options, Kernel>;
  (void)sizeof(grid_of_a_kernel<tile::value, Kernel>);
  constexpr unsigned columns = tile::value_of.columns;
  return std::uint64_t{(m + 127) / 128} * ((n + columns - 1) / columns);
}
/// Blocks for a product of `gemm_stream` on a machine that runs `at_once` blocks of it at once: `at_once` of them, or fewer
/// where k is too short for so many: each has 256 of k to add up at least, or a whole tile.
template <class Kernel> requires std::is_class_v<Kernel>
constexpr unsigned gemm_stream_blocks(const Kernel&, unsigned m, unsigned n, unsigned k, unsigned at_once) {
  const std::uint64_t tiles = gemm_stream_tiles<Kernel>(m, n);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(tiles * std::max(k / 256, 1u), 1, std::max(at_once, 1u)));
}
/// Blocks for the join of a product that `blocks` blocks made.
template <class Kernel> requires std::is_class_v<Kernel>
constexpr auto gemm_stream_join_grid(const Kernel&, unsigned m, unsigned n, unsigned blocks,
                                     source_location where = source_location::current()) {
  const auto left = static_cast<unsigned>(gemm_stream_tiles<Kernel>(m, n) % std::max(blocks, 1u));
  return tg::grid(tile_of_kernel<gemm_options, Kernel>::value_of.columns / 128, 8, std::max(left, 1u), where);
}

}  // namespace tg::kernels
