// The last block adds up what all have left
//
// CUDA's threadFenceReduction sample in one launch: each block leaves a sum and draws a number; the block that draws the last
// number adds all sums. The draw is an atomic with `tg::order::acq_rel`: what a block wrote before it is seen by those who draw
// later. `tg::block_any` tells all threads of the block. The counter is 0 again at the end, for the next launch.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/tg.hpp>

using tg::literals::operator""_c;

inline constexpr auto total =
    tg::kernel<"total">(tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> parts, tg::inout<unsigned> drawn,
                                           tg::out<float> y, tg::scalar<unsigned> n) {
      const auto is_first = block.thread.x == 0u;
      tg::var<float> own = 0.0f;
      tg::for_each_index(block, n, [&](auto i) { own += x(i); });
      const auto sum = tg::block_sum(block, own);
      tg::var<bool> is_last = false;
      tg::if_(is_first, [&] {
        parts(block.index.x) = sum;
        is_last = tg::atomic_add<tg::order::acq_rel>(drawn(0_c), 1u) == block.grid.x - 1u;
      });
      tg::if_(tg::block_any(block, is_last), [&] {
        tg::var<float> all = 0.0f;
        tg::for_(tg::range(block.thread.x, block.grid.x, 256_c), [&](auto k) { all += parts(k); });
        const auto result = tg::block_sum(block, all);
        tg::if_(is_first, [&] {
          y(0_c) = result;
          drawn(0_c) = 0u;
        });
      });
    });

int main() {
  tg::device gpu;
  const auto proof = tg::analyze(total);
  const std::vector<float> x(100'000, 0.5f);
  const auto device_x = gpu.upload(x);
  auto parts = gpu.zeros<float>(300), y = gpu.zeros<float>(1);
  auto drawn = gpu.zeros<unsigned>(1);
  for (int k = 0; k < 2; ++k) gpu.launch(total, tg::grid(300), device_x, parts, drawn, y, static_cast<unsigned>(x.size()));
  std::printf("sum %.1f, counter %u, race free: %s\n", static_cast<double>(y.to_host()[0]), drawn.to_host()[0],
              proof.race_free() ? "yes" : "no");
  return proof.race_free() && std::abs(y.to_host()[0] - 50'000.0f) < 1.0f && drawn.to_host()[0] == 0 ? 0 : 1;
}
