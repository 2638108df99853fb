// A register in brackets.
// expect: TG181
// expect: r(0_c)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/vector/regs.hpp>

inline constexpr auto kernel =
    tg::kernel<"brackets_of_registers">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      tg::regs<float, 2> r = x(i);
      r[1] = 1.0f;
      y(i) = r(0) + r(1);
#else
  tg::regs<float, 2> r = x(i);
  r(1) = 1.0f;
  y(i) = r(0) + r(1);
#endif
    });
