// A bulk copy begins at a multiple of 16 bytes.
// expect: TG203
// expect: misaligned_vector
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/bulk_copy.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"odd_place">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
  const auto tile = tg::shared<unsigned>(tg::shape<32>);
  auto full = tg::mbarriers<1>(block, 1);
  block.sync();
  auto phase = full.phase(0_c);
#ifdef TG_WRONG
  tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, block.index.x * 30_c)); });
#else
  tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, block.index.x * 32_c)); });
#endif
  (void)phase.wait();
  y(block.thread.x) = tile(block.thread.x);
});
