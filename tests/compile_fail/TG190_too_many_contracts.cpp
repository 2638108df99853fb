// Two contracts for the one stride of a matrix.
// expect: TG190
// expect: tg::multiple_of once or for each stride
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"contracts">(tg::block<32>, [](auto block, tg::out2<float, tg::multiple_of<64>, tg::multiple_of<4>> y) {
#else
inline constexpr auto kernel = tg::kernel<"contracts">(tg::block<32>, [](auto block, tg::out2<float, tg::multiple_of<4>> y) {
#endif
      y(block.index.x, block.thread.x) = 0.0f;
    });
