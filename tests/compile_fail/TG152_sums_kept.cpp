// Sums that are not handed to the product.
// expect: TG152
// expect: std::move(sum)
// expect: group_accumulator<64, 8, float>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"sums_kept">(tg::block<128>, [](auto block, tg::out<float> y) {
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
  const auto b = tg::shared<tg::f16>(tg::shape<8, 64>, tg::swizzle<3, 3, 3>);
  tg::group_accumulator<64, 8, float> sum = 0.0f;
#ifdef TG_WRONG
  y(block.thread.x) = tg::wgmma(sum, tg::k_major(a), tg::k_major(b)).wait()(0);
#else
  y(block.thread.x) = tg::wgmma(std::move(sum), tg::k_major(a), tg::k_major(b)).wait()(0);
#endif
});
