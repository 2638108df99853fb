// Extents of two dimensions for a view of three.
// expect: TG190
// expect: tg::extents of as many dimensions
// expect: extents<-1, 4>
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"extents">(tg::block<32>, [](auto block, tg::out3<float, tg::extents<tg::dynamic, 4>> y) {
#else
inline constexpr auto kernel =
    tg::kernel<"extents">(tg::block<32>, [](auto block, tg::out3<float, tg::extents<tg::dynamic, 4, 32>> y) {
#endif
      y(block.index.x, block.index.y, block.thread.x) = 0.0f;
    });
