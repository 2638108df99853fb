// A register chosen while the kernel runs.
// expect: TG119
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/vector/regs.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"register_by_value">(tg::block<256>, [](auto block, tg::out<float> y) {
  tg::regs<float, 4> r = 0.0f;
#ifdef TG_WRONG
  y(block.global_index()) = r(block.thread.x);
#else
  y(block.global_index()) = r(0_c);
#endif
});
