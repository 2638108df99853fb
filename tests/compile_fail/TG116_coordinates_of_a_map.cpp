// A map of two dimensions has two coordinates.
// expect: TG116
// expect: given_count<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/bulk/tensor_copy.hpp>

using namespace tg::literals;

using map = tg::in_map<float, tg::shape<8, 32>>;

inline constexpr auto kernel = tg::kernel<"coordinates">(tg::block<32>, [](auto block, map x, tg::out<float> y) {
#ifdef TG_WRONG
  tg::tensor_prefetch(x(block.index.x));
#else
  tg::tensor_prefetch(x(block.index.x, 0));
#endif
  y(block.thread.x) = 1.0f;
});
