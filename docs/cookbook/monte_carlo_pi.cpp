// Monte Carlo: pi from random points
//
// `tg::philox` makes four random words from a counter and a key, without any state: the thread's number is the counter, so
// that each run and each device gives the same numbers. Two points per call; votes and sums of the block, one atomic each.
#include <cmath>
#include <cstdio>

#include <tg/dsl/math/philox.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto throw_points = tg::kernel<"throw_points">(
    tg::block<256>, [](auto block, tg::inout<unsigned> hits, tg::scalar<unsigned> rounds, tg::scalar<unsigned> seed) {
      const auto to_unit = [](const auto& word) { return tg::cast<float>(word >> 8u) * 0x1p-24f; };  // 24 bits in [0, 1)
      tg::var<unsigned> own = 0u;
      tg::for_(tg::range(rounds), [&](auto round) {
        const auto bits = tg::philox(block.global_index(), round, 0u, 0u, seed, 0u);
        const auto count = [&](const auto& a, const auto& b) {
          const auto x = tg::let(to_unit(a)), y = tg::let(to_unit(b));
          own += tg::select(x * x + y * y < 1.0f, 1u, 0u);
        };
        count(bits.x, bits.y);
        count(bits.z, bits.w);
      });
      const auto sum = tg::block_sum_to_first(block, own);
      tg::if_(block.thread.x == 0u, [&] { tg::atomic_add(hits(0_c), sum); });
    });

int main() {
  const unsigned blocks = 16, rounds = 50;
  tg::device gpu;
  auto hits = gpu.zeros<unsigned>(1);
  gpu.launch(throw_points, tg::grid(blocks), hits, rounds, 2024u);
  const double points = 2.0 * blocks * 256 * rounds, pi = 4.0 * hits.to_host()[0] / points;
  std::printf("pi is about %.3f after %.0f points\n", pi, points);
  return std::fabs(pi - M_PI) < 0.02 ? 0 : 1;
}
