// A value incremented.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"increment">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
      auto count = tg::let(n);
      tg::for_(tg::range(n), [&](auto j) { tg::if_(x(j) > 0.0f, [&] { ++count; }); });
#else
  tg::var<unsigned> count = n;
  tg::for_(tg::range(n), [&](auto j) { tg::if_(x(j) > 0.0f, [&] { count += 1u; }); });
#endif
      y(block.global_index()) = count;
    });
