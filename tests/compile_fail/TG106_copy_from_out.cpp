// A copy from a write-only view.
// expect: TG106
// expect: tg::inout
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"copy_from_out">(tg::block<256>, [](auto block, tg::out<float> x, tg::out<float> y) {
#else
inline constexpr auto kernel =
    tg::kernel<"copy_from_out">(tg::block<256>, [](auto block, tg::inout<float> x, tg::out<float> y) {
#endif
  auto i = block.global_index();
  y(i) = x(i);
});
