#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

// y = a*x + y
inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

int main() {
  const unsigned n = 1000;
  std::vector<float> hx(n, 1.0f), hy(n, 2.0f);
  tg::device gpu;                                  // first NVIDIA GPU, else the emulator; TG_DEVICE overrides
  auto x = gpu.upload(hx), y = gpu.upload(hy);     // tg::buffer<float>, freed with the object
  gpu.launch(saxpy, tg::cover(n), x, y, 2.0f, n);  // checked against the kernel's signature, compiled once
  std::vector<float> out = y.to_host();
  std::printf("2 * 1 + 2 = %g on '%s'\n", out.back(), gpu.name().c_str());
}
