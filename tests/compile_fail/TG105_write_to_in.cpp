// A store to a read-only view.
// expect: TG105
// expect: tg::inout
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"write_to_in">(tg::block<256>, [](auto block, tg::in<float> x) {
#else
inline constexpr auto kernel = tg::kernel<"write_to_in">(tg::block<256>, [](auto block, tg::inout<float> x) {
#endif
  x(block.global_index()) = 1.0f;
});
