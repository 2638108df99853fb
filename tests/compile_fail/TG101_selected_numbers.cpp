// One of two numbers of different types.
// expect: TG101
// expect: types<float, int>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"selected_numbers">(tg::block<64>, [](auto block, tg::out<float> y) {
  const auto i = block.thread.x;
#ifdef TG_WRONG
  y(i) = tg::select(i < 7, 1.0f, 0);
#else
  y(i) = tg::select(i < 7, 1.0f, 0.0f);
#endif
});
