// One index for registers of rank 2.
// expect: TG116
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/vector/regs.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"rank_of_registers">(tg::block<256>, [](auto block, tg::out<float> y) {
  tg::regs<float, 2, 2> r = 0.0f;
#ifdef TG_WRONG
  y(block.global_index()) = r(1_c);
#else
  y(block.global_index()) = r(0_c, 1_c);
#endif
});
