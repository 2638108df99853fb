// Bytes are transposed by no wgmma.
// expect: TG151
// expect: neighbours_along
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"bytes_along_m">(tg::block<128>, [](auto block, tg::out<int> y) {
  const auto a = tg::shared<signed char>(tg::shape<64, 64>, tg::swizzle<2, 4, 3>);
  tg::group_accumulator<64, 64, int> sum = 0;
#ifdef TG_WRONG
  const auto left = tg::mn_major(a);
#else
  const auto left = tg::k_major(a);
#endif
  y(block.thread.x) = tg::wgmma(std::move(sum), left, tg::k_major(a)).wait()(0);
});
