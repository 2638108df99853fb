// The number of a stage says nothing of its copies; what the ring hands out does.
// expect: TG146
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/bulk_ring.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"stage_of_a_ring">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto tiles = tg::stages<float, 2>(tg::shape<1, 32>);
  const auto ring = tg::bulk_ring<2>(block, tg::consumer_threads<32>);
  block.sync();
  auto reads = ring.consumer();
  tg::if_(block.thread.x == 0u, [&] {
    const auto stage = ring.producer().next();
    stage.fill(tg::bulk_copy(tiles.fill(stage.index), x, 0u));
  });
#ifdef TG_WRONG
  (void)reads.next();
  y(block.thread.x) = tiles.read(0u)(0_c, block.thread.x);
#else
  y(block.thread.x) = tiles.read(reads.next())(0_c, block.thread.x);
#endif
});
