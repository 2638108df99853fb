// A part that begins within a group of 8 lines.
// expect: TG151
// expect: elements<4>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"part_of_lines">(tg::block<128>, [](auto block, tg::out<float> y) {
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
  const auto b = tg::shared<tg::f16>(tg::shape<8, 64>, tg::swizzle<3, 3, 3>);
  const auto c = tg::shared<tg::f16>(tg::shape<72, 64>, tg::swizzle<3, 3, 3>);
#ifdef TG_WRONG
  const auto left = tg::k_major(a);
  (void)tg::k_major(c).part(4_c, 1_c);
#else
  const auto left = tg::k_major(a);
  (void)tg::k_major(c).part(8_c, 1_c);
#endif
  tg::group_accumulator<64, 8, float> sum = 0.0f;
  y(block.thread.x) = tg::wgmma(std::move(sum), left, tg::k_major(b)).wait()(0);
});
