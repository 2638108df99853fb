// Conway's Game of Life on a torus: the last row is above the first, the last column left of the first.
//
// Four cells are one word, whose bytes are added at once: no sum is above 9. A thread has a word in each of six rows and makes
// four rows of the next generation.
#pragma once

#include <cstdint>

#include <tg/dsl.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// next(r, c): 1 if cell (r, c) lives in the next generation, else 0: with three neighbours alive, or with two if it is alive
/// itself. Cells are bytes of 0 and 1. Launch with `life_grid(width, height)`.
/// Requires: width is a multiple of 4; width and height leave 128 below 2^31.
/// Cost: about 20 operations for four cells; each byte is read from memory about once, words at their edges from the cache.
inline constexpr auto life =
    tg::kernel<"life">(tg::block<32, 8>, [](auto block, tg::in2<std::uint8_t, tg::multiple_of<4>> cells,
                                            tg::out2<std::uint8_t, tg::multiple_of<4>> next,
                                            tg::scalar<int, tg::multiple_of<4>> width, tg::scalar<int> height) {
      const auto column = tg::let(tg::cast<int>(block.global.x) * 4_c);
      const auto first = tg::let(tg::cast<int>(block.global.y) * 4_c);
      const auto before = tg::let(tg::select(column == 0, width - 4_c, column - 4_c));
      const auto after = tg::let(tg::select(column + 4_c == width, 0, column + 4_c));
      tg::if_(column < width, [&] {
        tg::regs<unsigned, 6> own = 0u, across = 0u;
        tg::unroll<6>([&](auto i) {
          // Row `height` is row 0; those after it are not used.
          const auto line = tg::let(first + i - 1_c);
          const auto row = tg::let(tg::select(line < 0, height - 1_c, tg::select(line < height, line, 0)));
          const auto word = [&](const auto& at) { return tg::let(tg::bit_cast<unsigned>(cells.vec<4>(row, at))(0_c)); };
          const auto middle = word(column);
          own(i) = middle;
          across(i) = middle + (middle << 8u | word(before) >> 24u) + (middle >> 8u | word(after) << 24u);
        });
        tg::unroll<4>([&](auto i) {
          const auto sum = tg::let(across(i) + across(i + 1_c) + across(i + 2_c));
          // Bit 4 of each byte of 16 - (a ^ b) says whether a and b are equal.
          const auto is = [&](unsigned count) { return tg::let((0x10101010u - (sum ^ count * 0x01010101u)) >> 4u); };
          const auto alive = tg::let((is(3) | (is(4) & own(i + 1_c))) & 0x01010101u);
          tg::if_(first + i < height,
                  [&] { next.vec<4>(first + i, column) = tg::bit_cast<std::uint8_t>(tg::make_vec(alive)); });
        });
      });
    });

/// Blocks for `life`.
constexpr auto life_grid(unsigned width, unsigned height, source_location where = source_location::current()) {
  return tg::grid((width + 127) / 128, (height + 31) / 32, where);
}

}  // namespace tg::kernels
