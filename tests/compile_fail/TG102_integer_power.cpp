// A float to the power of an integer.
// expect: TG102
// expect: 2.0f beside float
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/pow.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel = tg::kernel<"integer_power">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  y(i) = tg::pow(x(i), 2);
#else
  y(i) = tg::pow(x(i), 2.0f);
#endif
});
