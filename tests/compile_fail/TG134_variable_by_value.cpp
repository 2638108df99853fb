// A variable captured by value.
// expect: TG134
// expect: capture it with [&]
// expect-not: discards qualifiers
// expect-not: no viable overloaded
// expect-not: TG129
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"variable_by_value">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      tg::var<float> s = 0.0f;
#ifdef TG_WRONG
      tg::for_(tg::range(n), [=](auto j) { s += x(j); });
#else
  tg::for_(tg::range(n), [&](auto j) { s += x(j); });
#endif
      y(block.global_index()) = s;
    });
