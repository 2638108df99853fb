// Each lane reads from a plane of its own: strides that differ never share a sector.
// expect: TG202
// expect: sectors<32>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"plane_per_lane">(tg::block<32>, [](auto block, tg::in3<float> m, tg::out<float> y) {
#ifdef TG_WRONG
  y(block.thread.x) = m(block.thread.x, block.index.x, 0_c);
#else
  y(block.thread.x) = m(block.index.y, block.index.x, block.thread.x);
#endif
});
