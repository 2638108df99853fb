// What a kernel costs, before it runs
//
// `tg::cost` counts requests, sectors, bank wavefronts, bytes and operations of a launch from the kernel's text. A test can
// hold them: the swizzled transpose needs exactly one wavefront per request of shared memory, and no sector more than its
// bytes.
#include <cstdio>

#include <tg/dsl/cost/cost.hpp>
#include <tg/explain.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto transpose =
    tg::kernel<"transpose">(tg::block<32, 32>, [](auto block, tg::in2<float> a, tg::out2<float> b) {
      auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5, 0, 5>);
      const auto x = block.thread.x;
      const auto y = block.thread.y;
      const auto row = tg::let(block.index.y * 32_c), column = tg::let(block.index.x * 32_c);
      tile(y, x) = a(row + y, column + x);
      block.sync();
      b(column + y, row + x) = tile(x, y);
    });

int main() {
  const auto cost = tg::cost(transpose, 64);  // of 64 blocks
  std::printf("%llu bytes asked for, %llu in whole sectors at best; %.1f wavefronts per request; %d live registers\n",
              static_cast<unsigned long long>(cost.bytes), 32ull * cost.sectors_best, cost.wavefronts_per_request(),
              static_cast<int>(cost.live_registers));

  const auto& h100 = tg::find_target("H100");
  const double least_us = cost.least_us(tg::analysis::roofline_of(h100));
  std::printf("at %.0f GB/s it takes at least %.2f us\n", h100.memory_gb_per_s, least_us);
  return cost.is_complete() && cost.wavefronts == cost.ideal_wavefronts && 32 * cost.sectors_best == cost.bytes ? 0 : 1;
}
