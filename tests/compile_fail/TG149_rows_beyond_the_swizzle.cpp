// A swizzle of 64 bytes has no place for rows of 128.
// expect: TG149
// expect: try_swizzle<3, 2, 3>
// expect: inner_bytes<128>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using map = tg::in_map<float, tg::shape<8, 32>, tg::swizzle<2, 2, 3>>;
#else
using map = tg::in_map<float, tg::shape<8, 32>, tg::swizzle<3, 2, 3>>;
#endif

inline constexpr auto kernel = tg::kernel<"rows">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  x.prefetch();
  y(block.thread.x) = 1.0f;
});
