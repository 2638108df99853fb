// The Mandelbrot set, in lanes
//
// A loop whose length differs for each thread: `tg::while_` with a lambda as its condition. What changes in the loop is a
// `tg::var`; a value made with `auto` or `tg::let` is fixed. The same text is drawn on the host to check it.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto mandelbrot = tg::kernel<"mandelbrot">(
    tg::block<32, 8>, [](auto block, tg::out2<int> steps, tg::scalar<unsigned> rows, tg::scalar<unsigned> columns) {
      const auto r = tg::let(block.global.y);
      const auto c = tg::let(block.global.x);
      tg::if_(r < rows && c < columns, [&] {
        const auto x0 = tg::let(tg::cast<float>(c) * 0.046875f - 2.25f), y0 = tg::let(tg::cast<float>(r) * 0.125f - 1.5f);
        tg::var<float> x = 0.0f, y = 0.0f;
        tg::var<int> count = 0;
        tg::while_([&] { return x * x + y * y < 4.0f && count < 50; },
                   [&] {
                     const auto moved = tg::let(x * x - y * y + x0);
                     y = x * y * 2.0f + y0;
                     x = moved;
                     count += 1;
                   });
        steps(r, c) = count;
      });
    });

int main() {
  const unsigned rows = 24, columns = 64;
  tg::device gpu;
  auto steps = gpu.zeros<int>(rows * columns);
  gpu.launch(mandelbrot, tg::cover(columns, rows), tg::matrix(steps, rows, columns), rows, columns);

  const auto all = steps.to_host();
  unsigned apart = 0;
  for (unsigned k = 0; k < all.size(); ++k) {
    const double x0 = double(k % columns) * 0.046875 - 2.25, y0 = double(k / columns) * 0.125 - 1.5;
    double x = 0, y = 0;
    int count = 0;
    for (; x * x + y * y < 4 && count < 50; ++count) {
      const double moved = x * x - y * y + x0;
      y = x * y * 2 + y0;
      x = moved;
    }
    apart += count != all[k];
  }
  for (unsigned c = 0; c < columns; ++c) std::putchar(" .:-=+*#%@"[all[12 * columns + c] * 9 / 50]);
  std::printf("\n%u of %u points differ from double precision\n", apart, rows * columns);
  return apart < 20 ? 0 : 1;
}
