// One of three interleaved colours.
// expect: TG202
// expect: sectors<13>
// expect: ideal_sectors<4>
#include <tg/dsl/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"red_of_rgb">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i * 3_c);
#else
  y(i) = x(i);
#endif
});
