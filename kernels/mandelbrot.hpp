// The Mandelbrot set: for each point of a grid in the complex plane, how long it stays near 0.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// counts(r, c): the smallest number of steps z -> z^2 + point, from z = 0, after which |z|^2 > 4, at most `limit`, where point
/// is left + c * step + i * (top + r * step). T: float, double. Launch with `tg::cover(width, height)`.
/// Requires: width and height below 2^24 for float.
/// Units: the point, both parts of z^2 + point and |z|^2 are computed with fused products, the last of which are
/// x * x + (-y * y + c), (x + x) * y + d and x * x + y * y, so that counts are the same on each machine.
/// Cost: 7 operations a step; a warp takes as long as its slowest point.
template <class T>
inline constexpr auto mandelbrot = tg::kernel<"mandelbrot">(
    tg::block<32, 8>, [](auto block, tg::out2<unsigned> counts, tg::scalar<int> width, tg::scalar<int> height,
                         tg::scalar<T> left, tg::scalar<T> top, tg::scalar<T> step, tg::scalar<unsigned> limit) {
      const auto column = tg::let(tg::cast<int>(block.global.x));
      const auto row = tg::let(tg::cast<int>(block.global.y));
      tg::if_(row < height && column < width, [&] {
        const auto c = tg::let(tg::fma(tg::cast<T>(column), step, left));
        const auto d = tg::let(tg::fma(tg::cast<T>(row), step, top));
        tg::var<T> x = T{0}, y = T{0};
        tg::var<unsigned> count = 0u;
        tg::while_([&] { return count < limit && tg::fma(x, x, y * y) <= T{4}; },
                   [&] {
                     const auto real = tg::let(tg::fma(x, x, tg::fma(-y, y, c)));
                     y = tg::fma(x + x, y, d);
                     x = real;
                     ++count;
                   });
        counts(row, column) = count;
      });
    });

}  // namespace tg::kernels
