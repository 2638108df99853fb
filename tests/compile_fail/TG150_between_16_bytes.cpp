// Element 3 of a row is 12 bytes from its beginning.
// expect: TG150: a tensor copy begins at a multiple of 16 bytes of a row
// expect: constant<3>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto column = 3_c;
#else
inline constexpr auto column = 4_c;
#endif

using map = tg::in_map<float, tg::shape<8, 32>>;

inline constexpr auto kernel = tg::kernel<"TG150_between_16_bytes">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  const auto tile = tg::shared<float>(tg::shape<8, 32>);
  auto full = tg::mbarriers<1>(block, 1);
  block.sync();
  auto phase = full.phase(0_c);
  tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::tensor_copy(tile, x(0_c, column))); });
  (void)phase.wait();
  y(block.thread.x) = tile(0_c, block.thread.x);
});
