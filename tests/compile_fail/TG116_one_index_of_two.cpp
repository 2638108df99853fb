// One index for a matrix.
// expect: TG116
// expect: given_count<1>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"one_index_of_two">(tg::block<256>, [](auto block, tg::out2<float> y) {
#ifdef TG_WRONG
  y(block.thread.x) = 0.0f;
#else
  y(block.index.x, block.thread.x) = 0.0f;
#endif
});
