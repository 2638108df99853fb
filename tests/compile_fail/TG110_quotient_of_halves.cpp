// A division of halves, for which there is no instruction.
// expect: TG110
// expect: f16
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"quotient">(tg::block<256>, [](auto block, tg::in<tg::f16> x, tg::out<tg::f16> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i) / x(i);
#else
  y(i) = tg::cast<tg::f16>(tg::cast<float>(x(i)) / tg::cast<float>(x(i)));
#endif
});
