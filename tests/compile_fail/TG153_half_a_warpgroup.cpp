// A block of 192 threads has no whole warpgroups.
// expect: TG153
// expect: block_t<192
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/warpgroup.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"half_a_warpgroup">(tg::block<192>, [](auto block, tg::out<unsigned> y) {
#else
inline constexpr auto kernel = tg::kernel<"half_a_warpgroup">(tg::block<256>, [](auto block, tg::out<unsigned> y) {
#endif
  y(block.global_index()) = block.warpgroup().index;
});
