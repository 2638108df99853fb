// The body of a loop that returns what it computes.
// expect: TG129
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"loop_that_returns">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      tg::var<float> s = 0.0f;
#ifdef TG_WRONG
      tg::for_(tg::range(n), [&](auto j) { return s + x(j); });
#else
  tg::for_(tg::range(n), [&](auto j) { s = s + x(j); });
#endif
      y(block.global_index()) = s;
    });
