#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

int main() {
  const unsigned n = 1000;
  const std::vector<float> ones(n, 1.0f);

  tg::device gpu;
  auto x = gpu.upload(ones);
  auto y = gpu.upload(ones);
  gpu.launch(saxpy, tg::cover(n), x, y, 2.0f, n);

  for (const float value : y.to_host()) {
    if (value != 3.0f) return std::puts("2 * 1 + 1 is not 3"), 1;
  }
  std::puts("2 * 1 + 1 is 3, 1000 times");
}
