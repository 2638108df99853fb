// 40 columns of integers, which only floats have.
// expect: TG153
// expect: group_accumulator<64, 40, int>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"width_of_integers">(tg::block<128>, [](auto block, tg::out<int> y) {
  const auto a = tg::shared<signed char>(tg::shape<64, 64>, tg::swizzle<2, 4, 3>);
#ifdef TG_WRONG
  constexpr int width = 40;
#else
  constexpr int width = 48;
#endif
  const auto b = tg::shared<signed char>(tg::shape<width, 64>, tg::swizzle<2, 4, 3>);
  tg::group_accumulator<64, width, int> sum = 0;
  y(block.thread.x) = tg::wgmma(std::move(sum), tg::k_major(a), tg::k_major(b)).wait()(0);
});
