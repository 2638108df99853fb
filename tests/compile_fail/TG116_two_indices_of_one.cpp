// Two indices for rank 1.
// expect: TG116
// expect: given_count<2>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"two_indices_of_one">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i, i) = 0.0f;
#else
  y(i) = 0.0f;
#endif
});
