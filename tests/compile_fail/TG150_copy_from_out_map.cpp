// What is only written is no source.
// expect: TG150
// expect: mode::write
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using map = tg::out_map<float, tg::shape<8, 32>>;
#else
using map = tg::in_map<float, tg::shape<8, 32>>;
#endif

inline constexpr auto kernel = tg::kernel<"TG150_copy_from_out_map">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  const auto tile = tg::shared<float>(tg::shape<8, 32>);
  auto full = tg::mbarriers<1>(block, 1);
  block.sync();
  auto phase = full.phase(0_c);
  tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::tensor_copy(tile, x(0, 0))); });
  (void)phase.wait();
  y(block.thread.x) = tile(0_c, block.thread.x);
});
