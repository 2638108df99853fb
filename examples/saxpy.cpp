// Saxpy: y = a * x + y
//
// The smallest useful kernel of lanes. `tg::cover(n)` launches enough blocks for n threads; the guard `i < n` keeps the
// threads of the last block inside. `a` and `n` are arguments of the launch: other values need no other kernel.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

int main() {
  const unsigned n = 1000;
  std::vector<float> hx(n), hy(n, 2.0f);
  for (unsigned k = 0; k < n; ++k) hx[k] = float(k);

  tg::device gpu;
  const auto x = gpu.upload(hx);
  auto y = gpu.upload(hy);
  gpu.launch(saxpy, tg::cover(n), x, y, 3.0f, n);

  const auto out = y.to_host();
  unsigned wrong = 0;
  for (unsigned k = 0; k < n; ++k) wrong += out[k] != 3.0f * hx[k] + 2.0f;
  std::printf("y[999] = %g, %u of %u wrong\n", double(out[999]), wrong, n);
  return wrong == 0 ? 0 : 1;
}
