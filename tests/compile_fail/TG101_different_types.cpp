// F32 + u32.
// expect: TG101
// expect: types<float, unsigned int>
// expect: tg::cast<T>(x)
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"different_types">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i) + i;
#else
  y(i) = x(i) + tg::cast<float>(i);
#endif
});
