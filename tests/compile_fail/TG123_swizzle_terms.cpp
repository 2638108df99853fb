// A swizzle of which one term changes what the other reads.
// expect: TG123
// expect: let all read higher bits
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"swizzle_terms">(tg::block<32>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<2> ^ tg::swizzle<2, 5, 2>);
#else
  auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<2> ^ tg::swizzle<2, 2, 3>);
#endif
  tile(0_c, block.thread.x) = 0.0f;
  y(block.thread.x) = tile(0_c, block.thread.x);
});
