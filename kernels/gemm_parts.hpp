// Products with a long k and too few tiles for the machine: as many parts of k as fill it, each a block's for each tile, and
// the kernel that adds them. No block waits for another, and the sums are the same in each run.
//
//   constexpr gemm_options options{.split = 0};
//   const unsigned parts = gemm_parts<options, tg::bf16>(m, n, k, gpu.limits().multiprocessors);
//   gpu.launch(product, gemm_grid(product, m, n, parts), a, b, sums, m, n, k);     // sums: parts * m rows
//   gpu.launch(join, gemm_join_grid(m, n), sums, c, m, n, parts);
#pragma once

#include <algorithm>
#include <cstdint>

#include <kernels/gemm.hpp>

namespace tg::kernels {

/// C = epilogue(sum of its parts), as many as the launch of a `gemm` with `split = 0` had: (parts, c, m, n, count, extra...).
/// Launch with `gemm_join_grid(m, n)`.
template <gemm_options Options, class T, class... Extra, class Epilogue> constexpr auto gemm_join_parts(Epilogue epilogue) {
  static_assert(Options.split == 0, "gemm_join_parts: the parts of a product whose launch says how many");
  using sum_type = typename gemm_elements<T>::sum;
  using out = typename gemm_elements<T>::out;
  return tg::kernel<"gemm_join_parts">(
      tg::block<128>, [epilogue](auto block, tg::in2<sum_type, tg::multiple_of<4>> parts, tg::out2<out, gemm_leading<out>> c,
                                 tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> count, Extra... extra) {
        const auto row = tg::let(block.index.y * 16_c);
        const auto column = tg::let(block.index.x * 128_c);
        const auto part = [&](const auto& number) {
          const auto first = tg::let(number * m);
          return tg::tile_at<16, 128>(tg::sized(parts, first + m, n), first + row, column);
        };
        auto sum = tg::full_like_load<sum_type>(block, part(0_c), sum_type{});
        tg::for_(tg::range(count), [&](auto number) { sum += tg::load(block, part(number)); });
        const auto place = make_place<16, 128>(0_c, block.index.y, block.index.x, m, n);
        place.of_elements(c) = tg::cast<out>(epilogue(tg::eval(sum), place, extra...));
      });
}

/// Parts of k for a product of m x n x k on a machine that runs `at_once` blocks at once: its multiprocessors,
/// `gpu.limits().multiprocessors`, times the blocks that each holds. As many as end first, where every turn of blocks takes as
/// long as the steps of one part, and adding a part as long as a step. Each part has within one step as many as the others
/// on average.
template <gemm_options Options, class T, int Sm = 80>
constexpr unsigned gemm_parts(unsigned m, unsigned n, unsigned k, unsigned at_once) {
  constexpr unsigned step = gemm_step<Options, typename gemm_elements<T>::in, Sm>;
  const std::uint64_t tiles = std::uint64_t{(m + 127) / 128} * ((n + 127) / 128), steps = (k + step - 1) / step;
  unsigned best = 1;
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned parts = 1; parts <= std::max<std::uint64_t>(1, std::min<std::uint64_t>(steps, at_once)); ++parts) {
    const std::uint64_t turns = (tiles * parts + at_once - 1) / at_once;
    const std::uint64_t time = turns * ((steps + parts - 1) / parts) + (parts == 1 ? 0 : parts);
    if (time < least) least = time, best = parts;
  }
  return best;
}

}  // namespace tg::kernels
