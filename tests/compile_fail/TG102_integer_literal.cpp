// An integer literal beside a float.
// expect: TG102
// expect: types<float, int>
// expect: 2.0f
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"integer_literal">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i) + 1;
#else
  y(i) = x(i) + 1.0f;
#endif
});
