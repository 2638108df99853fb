// std::clamp of an element.
// expect: TG114
// expect: tg::clamp
#include <tg/dsl/kernel/kernel.hpp>

#include <algorithm>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel = tg::kernel<"std_clamp">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  y(i) = std::clamp(x(i), 0.0f, 1.0f);
#else
  y(i) = tg::clamp(x(i), 0.0f, 1.0f);
#endif
});
