// Rows with a gap between them.
// expect: TG151
// expect: pitch_t<72>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"pitch">(tg::block<128>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::pitch<72>);
#else
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
#endif
  const auto b = tg::shared<tg::f16>(tg::shape<8, 64>, tg::swizzle<3, 3, 3>);
  tg::group_accumulator<64, 8, float> sum = 0.0f;
  const auto left = tg::k_major(a);
  y(block.thread.x) = tg::wgmma(std::move(sum), left, tg::k_major(b)).wait()(0);
});
