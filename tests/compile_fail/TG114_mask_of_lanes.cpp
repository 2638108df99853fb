// A mask of lanes kept in a number of the host.
// expect: TG114
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"mask">(tg::block<256>, [](auto block, tg::out<unsigned> y) {
#ifdef TG_WRONG
  const unsigned mask = 1u << block.warp().lane;
#else
  const auto mask = 1u << block.warp().lane;
#endif
  y(block.thread.x) = mask;
});
