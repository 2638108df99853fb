// One slice of a matrix.
// expect: TG191
// expect: a slice for each dimension
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/subview.hpp>

inline constexpr auto kernel = tg::kernel<"slice_missing">(tg::block<32>, [](auto block, tg::in2<float> m) {
#ifdef TG_WRONG
  (void)tg::subview(m, block.index.x);
#else
  (void)tg::subview(m, block.index.x, tg::full_extent)(block.thread.x);
#endif
});
