// Two indices for three dimensions, of a part.
// expect: TG116
// expect: given_count<1>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/subview.hpp>

inline constexpr auto kernel = tg::kernel<"two_indices_of_three">(tg::block<32>, [](auto block, tg::in3<float> m) {
  const auto plane = tg::row(m, block.index.y);
#ifdef TG_WRONG
  (void)plane(block.thread.x);
#else
  (void)plane(block.index.x, block.thread.x);
#endif
});
