// Products of bf16 have no sums of f16.
// expect: TG153
// expect: tg::bf16
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"half_sums">(tg::block<128>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  using type = tg::bf16;
#else
  using type = tg::f16;
#endif
  const auto a = tg::shared<type>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
  tg::group_accumulator<64, 64, tg::f16> sum = 0u;
  y(block.thread.x) = tg::wgmma(std::move(sum), tg::k_major(a), tg::k_major(a)).wait()(0);
});
