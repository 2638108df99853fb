#include <cstdio>
#include <vector>

#include <app.hpp>
#include <app_code.hpp>

int main() {
  const unsigned n = 1000;
  tg::device gpu;
  auto x = gpu.upload(std::vector<float>(n, 1.0f));
  auto y = gpu.upload(std::vector<float>(n, 1.0f));
  gpu.launch(app::saxpy, tg::cover(n), x, y, 2.0f, n);       // 3
  gpu.launch(app::twice, tg::cover(n), y, n);                // 6
  gpu.launch(app_code::saxpy, tg::cover(n), x, y, 1.0f, n);  // 7, from machine code
  for (const float value : y.to_host()) {
    if (value != 7.0f) return std::printf("%g is not 7\n", static_cast<double>(value)), 1;
  }
  if (gpu.compile(app::saxpy).origin == tg::runtime::code_origin::package ||
      gpu.compile(app_code::saxpy).origin != tg::runtime::code_origin::package)
    return std::puts("the wrong one of both is machine code"), 1;
  std::puts("(2 * 1 + 1) * 2 + 1 is 7, 1000 times");
}
