// Registers captured by value.
// expect: TG134
// expect: capture it with [&]
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/vector/regs.hpp>

inline constexpr auto kernel =
    tg::kernel<"registers_by_value">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      using namespace tg::literals;
      tg::regs<float, 4> s = 0.0f;
#ifdef TG_WRONG
      tg::for_(tg::range(n), [=](auto j) mutable { s(0_c) += x(j); });
#else
  tg::for_(tg::range(n), [&](auto j) { s(0_c) += x(j); });
#endif
      y(block.global_index()) = s(0_c);
    });
