// A parameter changed.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"assigned_scalar">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
      tg::for_(tg::range(n), [&](auto j) { a = a + x(j); });
      y(block.global_index()) = a;
#else
  tg::var<float> s = a;
  tg::for_(tg::range(n), [&](auto j) { s = s + x(j); });
  y(block.global_index()) = s;
#endif
    });
