// A box has at most 256 elements along a dimension.
// expect: TG149
// expect: shape_t<512, 32>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using map = tg::in_map<float, tg::shape<512, 32>>;
#else
using map = tg::in_map<float, tg::shape<256, 32>>;
#endif

inline constexpr auto kernel = tg::kernel<"box">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  x.prefetch();
  y(block.thread.x) = 1.0f;
});
