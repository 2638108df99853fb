// Half precision: stored as f16, summed as float
//
// Halves are types of their own, on the host too: `f16 + float` does not compile, `tg::cast<float>` says it. Eight halves are
// one access of 16 bytes: `x.vec<8>(i)`. Pairs compute together, two products in one instruction (`fma.rn.f16x2`): `tg::pack`
// makes one. The dot product below multiplies in f32, because a sum of halves loses digits.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto dot = tg::kernel<"dot">(
    tg::block<256>,
    [](auto block, tg::in<tg::f16> x, tg::in<tg::f16> y, tg::inout<float> total, tg::scalar<unsigned, tg::multiple_of<8>> n) {
      tg::var<float> sum = 0.0f;
      tg::for_each_index(block, n / 8u, [&](auto i) {
        const auto a = x.vec<8>(i * 8_c), b = y.vec<8>(i * 8_c);
        for (int k = 0; k < 8; ++k) sum += tg::cast<float>(a(k)) * tg::cast<float>(b(k));
      });
      const auto all = tg::block_sum_to_first(block, sum);
      tg::if_(block.thread.x == 0u, [&] { tg::atomic_add(total(0_c), all); });
    });

int main() {
  const unsigned n = 8000;
  std::vector<tg::f16> hx(n), hy(n);
  double wanted = 0;
  for (unsigned k = 0; k < n; ++k) {
    hx[k] = tg::f16(std::sin(0.01f * float(k)));
    hy[k] = tg::f16(std::sin(0.01f * float(k)) + 0.1f);
    wanted += double(hx[k]) * double(hy[k]);
  }

  tg::device gpu;
  const auto x = gpu.upload(hx), y = gpu.upload(hy);
  auto total = gpu.zeros<float>(1);
  gpu.launch(dot, tg::grid(4), x, y, total, n);

  const float found = total.to_host()[0];
  std::printf("%.3f, wanted %.3f\n", double(found), wanted);
  return std::fabs(double(found) - wanted) < 1e-3 * wanted ? 0 : 1;
}
