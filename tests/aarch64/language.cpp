// Kernels in the language on the emulator of an AArch64 machine: a saxpy, a reduction with shuffles, loads that a guard ends.
#include <tg/tg.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include <kernels/saxpy.hpp>

namespace {

constexpr auto sum_of_warps =
    tg::kernel<"sum_of_warps">(tg::block<128>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::var<float> mine = 0.0f;
      tg::if_(i < n, [&] { mine = x(i); });
      y(i) = block.warp().sum(mine);
    });

}  // namespace

TEST_CASE("saxpy") {
  tg::device gpu;
  constexpr unsigned n = 1000;
  std::vector<float> hx(n), hy(n);
  for (unsigned k = 0; k < n; ++k) hx[k] = 0.5f * static_cast<float>(k), hy[k] = static_cast<float>(n - k);
  const auto x = gpu.upload(hx);
  auto y = gpu.upload(hy);
  gpu.launch(tg::kernels::saxpy, tg::cover(n), x, y, 2.0f, n);
  const std::vector<float> got = y.to_host();
  for (unsigned k = 0; k < n; ++k) CHECK(got[k] == 2.0f * hx[k] + hy[k]);
}

TEST_CASE("a reduction with shuffles") {
  tg::device gpu;
  constexpr unsigned n = 200;
  std::vector<float> hx(256), hy(256);
  for (unsigned k = 0; k < n; ++k) hx[k] = static_cast<float>(k);
  const auto x = gpu.upload(hx);
  auto y = gpu.upload(hy);
  gpu.launch(sum_of_warps, tg::cover(256), x, y, n);
  const std::vector<float> got = y.to_host();
  for (unsigned k = 0; k < 256; ++k) {
    float sum = 0;
    for (unsigned i = k / 32 * 32; i < k / 32 * 32 + 32 && i < n; ++i) sum += hx[i];
    CHECK(got[k] == sum);
  }
}
