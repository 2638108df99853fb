// The box has 8 rows, the tile 16.
// expect: TG150
// expect: shape_t<8, 32>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

using map = tg::in_map<float, tg::shape<8, 32>, tg::swizzle<3, 2, 3>>;

inline constexpr auto kernel = tg::kernel<"TG150_rows_of_the_box">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
#ifdef TG_WRONG
  const auto tile = tg::shared<float>(tg::shape<16, 32>, tg::swizzle<3, 2, 3>);
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
