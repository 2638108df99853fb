// The map swizzles and the tile does not: columns would be read from other places.
// expect: TG150
// expect: swizzle_t<3, 2, 3>
// expect: given_tile
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

using map = tg::in_map<float, tg::shape<8, 32>, tg::swizzle<3, 2, 3>>;

inline constexpr auto kernel = tg::kernel<"TG150_tile_without_swizzle">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
#ifdef TG_WRONG
  const auto tile = tg::shared<float>(tg::shape<8, 32>);
#else
  const auto tile = tg::shared<float>(tg::shape<8, 32>, tg::swizzle<3, 2, 3>);
#endif
  auto full = tg::mbarriers<1>(block, 1);
  block.sync();
  auto phase = full.phase(0_c);
  tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::tensor_copy(tile, x(0, 0))); });
  (void)phase.wait();
  y(block.thread.x) = tile(0_c, block.thread.x);
});
