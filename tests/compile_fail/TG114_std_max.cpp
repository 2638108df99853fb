// std::max of an element and a number.
// expect: TG114
// expect: tg::max
#include <tg/dsl/kernel/kernel.hpp>

#include <algorithm>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel = tg::kernel<"std_max">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  y(i) = std::max(x(i), 0.0f);
#else
  y(i) = tg::max(x(i), 0.0f);
#endif
});
