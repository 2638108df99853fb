// A transposing kernel and what becomes of it when it is broken: the subjects of tests of costs.
#pragma once

#include <tg/dsl.hpp>

namespace transposing {

using namespace tg::literals;

/// One 32 x 32 tile by 256 threads. `Layout` of the tile, and how often each element is read and the block meets.
template <auto Layout, int Loads, int Barriers>
inline constexpr auto kernel = tg::kernel<"transposing">(tg::block<32, 8>, [](auto block, tg::in2<float> x, tg::out2<float> y) {
  const auto tile = tg::shared<float>(tg::shape<32, 32>, Layout);
  const auto column = block.thread.x;
  const auto row = block.thread.y;
  tg::unroll<4>([&](auto k) {
    const auto r = block.index.y * 32_c + row + k * 8_c;
    tg::var<float> v = x(r, block.index.x * 32_c + column);
    tg::unroll<Loads - 1>([&](auto again) { v = v + x(r + again + 1_c, block.index.x * 32_c + column); });
    tile(row + k * 8_c, column) = v;
  });
  tg::unroll<Barriers>([&](auto) { block.sync(); });
  tg::unroll<4>([&](auto k) {
    y(block.index.x * 32_c + row + k * 8_c, block.index.y * 32_c + column) =
        tile(column, row + k * 8_c, tg::allow<tg::TG201>("a subject of tests"));
  });
});

inline constexpr auto sound = kernel<tg::swizzle<5>, 1, 1>;
inline constexpr auto without_swizzle = kernel<tg::pitch<32>, 1, 1>;
inline constexpr auto doubled_loads = kernel<tg::swizzle<5>, 2, 1>;
inline constexpr auto added_barrier = kernel<tg::swizzle<5>, 1, 2>;

}  // namespace transposing
