// A collective of 48 threads.
// expect: TG117
// expect: block_t<48, 1, 1>
// expect: a multiple of 32
#include <tg/dsl/kernel/kernel.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"part_of_a_warp">(tg::block<48>, [](auto block, tg::in<float> x, tg::out<float> y) {
#else
inline constexpr auto kernel = tg::kernel<"part_of_a_warp">(tg::block<64>, [](auto block, tg::in<float> x, tg::out<float> y) {
#endif
  auto i = block.global_index();
  y(i) = block.warp().sum(x(i));
});
