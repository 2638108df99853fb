// An element named and stored to twice.
// expect: TG136
// expect: y(i) += v
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"named_element">(tg::block<256>, [](auto block, tg::inout<float> y) {
  const auto i = block.global_index();
#ifdef TG_WRONG
  auto e = y(i);
  e += 1.0f;
  e += 1.0f;
#else
  y(i) += 1.0f;
  y(i) += 1.0f;
#endif
});
