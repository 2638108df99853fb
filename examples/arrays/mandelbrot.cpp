// The Mandelbrot set, with arrays
//
// A function of the user with a loop, over the numbers of rows and columns.
#include <cstdio>
#include <vector>

#include <tg/array.hpp>
#include <tg/dsl.hpp>

int main() {
  tg::device gpu;
  tg::array<int, 2> steps(gpu, {24, 64});
  const auto escape = [](auto row, auto column) {
    const auto x0 = tg::let(tg::cast<float>(column) * (3.0f / 64) - 2.2f),
               y0 = tg::let(tg::cast<float>(row) * (2.4f / 24) - 1.2f);
    tg::var<float> x = 0.0f, y = 0.0f;
    tg::var<int> count = 0;
    tg::while_([&] { return x * x + y * y < 4.0f && count < 50; },
               [&] {
                 const auto moved = tg::let(x * x - y * y + x0);
                 y = x * y * 2.0f + y0;
                 x = moved;
                 count += 1;
               });
    return count.get();
  };
  steps = tg::map(escape, tg::index_of<0>(steps), tg::index_of<1>(steps));

  const auto all = steps.to_host();
  for (std::size_t r = 0; r < 24; ++r) {
    for (std::size_t c = 0; c < 64; ++c) std::putchar(" .:-=+*#%@"[all[r * 64 + c] * 9 / 50]);
    std::putchar('\n');
  }
  return all[12 * 64 + 47] == 50 && all[0] < 3 ? 0 : 1;
}
