// Bytes are copied as they lie: no bulk copy makes a swizzle.
// expect: TG148
// expect: swizzle_t<3, 2, 3>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/bulk_copy.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"swizzled">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
#ifdef TG_WRONG
  const auto tile = tg::shared<unsigned>(tg::shape<8, 32>, tg::swizzle<3, 2, 3>);
#else
      const auto tile = tg::shared<unsigned>(tg::shape<8, 32>);
#endif
  auto full = tg::mbarriers<1>(block, 1);
  block.sync();
  auto phase = full.phase(0_c);
  tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, 0u)); });
  (void)phase.wait();
  y(block.thread.x) = tile(0_c, block.thread.x);
});
