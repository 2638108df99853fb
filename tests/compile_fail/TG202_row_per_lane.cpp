// Each lane reads its own row.
// expect: TG202
// expect: sectors<32>
// expect: ideal_sectors<4>
// expect: thread.x
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"row_per_lane">(tg::block<256>, [](auto block, tg::in2<float> a, tg::out<float> y) {
  auto i = block.thread.x;
#ifdef TG_WRONG
  y(i) = a(i, block.index.x);
#else
  y(i) = a(block.index.x, i);
#endif
});
