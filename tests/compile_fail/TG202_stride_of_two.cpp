// Every second element.
// expect: TG202
// expect: sectors<9>
// expect: ideal_sectors<4>
#include <tg/dsl/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"stride_of_two">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i * 2_c);
#else
  y(i) = x(i);
#endif
});
