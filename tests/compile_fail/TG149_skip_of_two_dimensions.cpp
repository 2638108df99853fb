// Two dimensions, of which rows can be skipped.
// expect: TG149
// expect: skip_t<2, 2>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using map = tg::in_map<float, tg::shape<8, 32>, tg::skip<2, 2>>;
#else
using map = tg::in_map<float, tg::shape<8, 32>, tg::skip<2>>;
#endif

inline constexpr auto kernel = tg::kernel<"skip">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  x.prefetch();
  y(block.thread.x) = 1.0f;
});
