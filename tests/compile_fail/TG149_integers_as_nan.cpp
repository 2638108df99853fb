// An integer has no NaN.
// expect: TG149
// expect: map_element
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using map = tg::in_map<int, tg::shape<8, 32>, tg::fill_nan>;
#else
using map = tg::in_map<float, tg::shape<8, 32>, tg::fill_nan>;
#endif

inline constexpr auto kernel = tg::kernel<"nan">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
  x.prefetch();
  y(block.thread.x) = 1.0f;
});
