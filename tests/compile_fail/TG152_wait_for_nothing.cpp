// A wait that may leave as many groups as there are.
// expect: TG152
// expect: under_way<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"wait_for_nothing">(tg::block<128>, [](auto block, tg::out<float> y) {
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
  const auto b = tg::shared<tg::f16>(tg::shape<8, 64>, tg::swizzle<3, 3, 3>);
  tg::group_accumulator<64, 8, float> sum = 0.0f;
  auto flight = tg::wgmma(std::move(sum), tg::k_major(a), tg::k_major(b));
#ifdef TG_WRONG
  (void)flight.wait(1_c);
#else
  y(block.thread.x) = flight.wait()(0);
#endif
});
