// A register that is not there.
// expect: TG119
// expect: constant<4>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/vector/regs.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"register_outside">(tg::block<256>, [](auto block, tg::out<float> y) {
  tg::regs<float, 4> r = 0.0f;
#ifdef TG_WRONG
  y(block.global_index()) = r(4_c);
#else
  y(block.global_index()) = r(3_c);
#endif
});
