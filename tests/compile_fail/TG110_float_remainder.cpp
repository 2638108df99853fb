// % on floats.
// expect: TG110
// expect: float
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/math.hpp>

inline constexpr auto kernel = tg::kernel<"float_remainder">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i) % 2.0f;
#else
  y(i) = x(i) - 2.0f * tg::trunc(x(i) / 2.0f);
#endif
});
