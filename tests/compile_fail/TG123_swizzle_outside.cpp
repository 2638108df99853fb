// A swizzle larger than its tile.
// expect: TG123
// expect: swizzle_t<5, 0, 5>
// expect: shape_t<8, 32>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"swizzle_outside">(tg::block<32>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  auto tile = tg::shared<float>(tg::shape<8, 32>, tg::swizzle<5>);
#else
  auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5>);
#endif
  tile(0_c, block.thread.x) = 0.0f;
  y(block.thread.x) = tile(0_c, block.thread.x);
});
