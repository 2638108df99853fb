// Sum of all elements
//
// Each thread adds up its share in a register, the block adds up its threads by shuffles (`tg::block_sum_to_first`), and one
// atomic per block adds to the result. Four elements are loaded at a time. Floats are added in no fixed order.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto sum_of = tg::kernel<"sum_of">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> total, tg::scalar<unsigned, tg::multiple_of<4>> n) {
      tg::var<float> sum = 0.0f;
      tg::for_each_index(block, n / 4u, [&](auto i) {
        const auto four = x.vec<4>(i * 4_c);
        sum += four(0_c) + four(1_c) + (four(2_c) + four(3_c));
      });
      const auto own = tg::block_sum_to_first(block, sum);
      tg::if_(block.thread.x == 0u, [&] { tg::atomic_add(total(0_c), own); });
    });

int main() {
  const unsigned n = 100000;
  std::vector<float> hx(n);
  double wanted = 0;
  for (unsigned k = 0; k < n; ++k) wanted += hx[k] = std::sin(float(k)) + 0.5f;

  tg::device gpu;
  const auto x = gpu.upload(hx);
  auto total = gpu.zeros<float>(1);
  gpu.launch(sum_of, tg::grid(16), x, total, n);

  const float sum = total.to_host()[0];
  std::printf("sum %.1f, wanted %.1f\n", double(sum), wanted);
  return std::fabs(double(sum) - wanted) < 1 ? 0 : 1;
}
