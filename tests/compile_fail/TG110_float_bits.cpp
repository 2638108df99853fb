// & on floats.
// expect: TG110
// expect: float
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/math.hpp>

inline constexpr auto kernel = tg::kernel<"float_bits">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i) & x(i);
#else
  y(i) = tg::min(x(i), x(i));
#endif
});
