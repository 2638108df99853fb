// One arrival for each warp, and all threads of the warp arrive.
// expect: TG147
// expect: consumer_warps_t<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/bulk_ring.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"released">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
  const auto tiles = tg::stages<unsigned, 2>(tg::shape<1, 32>);
  const auto ring = tg::bulk_ring<2>(block, tg::consumer_warps<1>);
  block.sync();
  auto reads = ring.consumer();
  tg::if_(block.thread.x == 0u, [&] {
    const auto stage = ring.producer().next();
    stage.fill(tg::bulk_copy(tiles.fill(stage.index), x, 0u));
  });
  const auto stage = reads.next();
  y(block.thread.x) = tiles.read(stage)(0_c, block.thread.x);
#ifdef TG_WRONG
  stage.release();
#else
  stage.release(block.warp());
#endif
});
