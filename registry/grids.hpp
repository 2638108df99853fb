// Grids of cells and of points of a plane. All results are exact.
#pragma once

#include <kernels/life.hpp>
#include <kernels/mandelbrot.hpp>
#include <kernels/reference/life.hpp>
#include <kernels/reference/mandelbrot.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m rows of n cells, of which a third is alive.
inline constexpr auto try_life = [](auto& t, const shape& s) {
  auto cells = t.template integers<std::uint8_t>(std::size_t{s.m} * s.n, 0, 2);
  for (auto& c : cells) c = c == 1;
  auto after = exactly(tg::kernels::reference::life(cells, s.n, s.m));
  t.launch(tg::kernels::life_grid(s.n, s.m), t.in(cells, s.m, s.n, 4),
           t.template out<std::uint8_t>(std::move(after), s.m, s.n, 4), static_cast<int>(s.n), static_cast<int>(s.m));
};
/// m x n points around a part of the set.
inline constexpr auto try_mandelbrot = [](auto& t, const shape& s) {
  constexpr unsigned limit = 100;
  const float step = 3.0f / static_cast<float>(std::max(s.m, s.n)), left = -2 + t.floats(1)[0] / 8, top = -1;
  const int height = static_cast<int>(s.m), width = static_cast<int>(s.n);
  std::vector<unsigned> wanted;
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) wanted.push_back(tg::kernels::reference::mandelbrot(c, r, left, top, step, limit));
  t.launch(tg::cover(width, height), t.template out<unsigned>(exactly(wanted), s.m, s.n), width, height, left, top, step,
           limit);
};

}  // namespace detail

inline constexpr row life{
    tg::kernels::life,
    {.family = "grids", .other = {"grids.cu", "life"}, .large = {512, 512}},
    [] { return std::vector<shape>{{1, 4}, {2, 8}, {31, 124}, {32, 128}, {33, 132}, {64, 256}, {13, 508}}; },
    detail::try_life};
inline constexpr row mandelbrot{tg::kernels::mandelbrot<float>,
                                {.family = "grids", .other = {"grids.cu", "mandelbrot"}, .large = {64, 64}},
                                matrices(8, 32),
                                detail::try_mandelbrot};

template <class Ask> void each_of_grids(Ask ask) {
  ask(life);
  ask(mandelbrot);
}

}  // namespace registry
