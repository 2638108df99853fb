// A variable that has neither a type nor a first number.
// expect: TG127
// expect: tg::var<float> s;
#include <tg/dsl.hpp>

inline constexpr auto kernel = tg::kernel<"untyped">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  tg::var s;
#else
  tg::var<float> s;
#endif
  s = x(i);
  y(i) = s;
});
