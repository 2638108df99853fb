// A swizzle that wgmma does not know.
// expect: TG151
// expect: try_swizzle<3, 3, 3>
// expect: row_bytes<128>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"wrong_swizzle">(tg::block<128>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 4>);
#else
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
#endif
  const auto b = tg::shared<tg::f16>(tg::shape<8, 64>, tg::swizzle<3, 3, 3>);
  tg::group_accumulator<64, 8, float> sum = 0.0f;
  const auto left = tg::k_major(a);
  y(block.thread.x) = tg::wgmma(std::move(sum), left, tg::k_major(b)).wait()(0);
});
