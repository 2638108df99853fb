// A column of a matrix whose rows have a length known to the compiler: no other access fills what lies between.
// expect: TG202
// expect: sectors<32>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"column_of_constant_rows">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.thread.x;
#ifdef TG_WRONG
      y(i) = x(i * 64_c);
#else
  y(i) = x(i + 64_c);
#endif
    });
