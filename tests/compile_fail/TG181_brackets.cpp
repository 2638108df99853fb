// An element in brackets.
// expect: TG181
// expect: x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>

inline constexpr auto kernel = tg::kernel<"brackets">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  y[i] = 2.0f * x[i];
#else
  y(i) = 2.0f * x(i);
#endif
});
