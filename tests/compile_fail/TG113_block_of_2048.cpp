// A block of 2048 threads.
// expect: TG113
// expect: block_t<2048, 1, 1>
// expect: 1024
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"block_of_2048">(tg::block<2048>, [](auto block, tg::out<float> y) {
#else
inline constexpr auto kernel = tg::kernel<"block_of_2048">(tg::block<1024>, [](auto block, tg::out<float> y) {
#endif
  y(block.global_index()) = 0.0f;
});
