// A block 128 deep.
// expect: TG113
// expect: block_t<1, 1, 128>
// expect: 64 in z
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"block_too_deep">(tg::block<1, 1, 128>, [](auto block, tg::out<float> y) {
#else
inline constexpr auto kernel = tg::kernel<"block_too_deep">(tg::block<1, 1, 64>, [](auto block, tg::out<float> y) {
#endif
  y(block.thread.z) = 0.0f;
});
