// A read of a write-only view.
// expect: TG106
// expect: tg::inout
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"read_of_out">(tg::block<256>, [](auto block, tg::out<float> x) {
#else
inline constexpr auto kernel = tg::kernel<"read_of_out">(tg::block<256>, [](auto block, tg::inout<float> x) {
#endif
  auto i = block.global_index();
  x(i) = x(i) + 1.0f;
});
