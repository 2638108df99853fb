// A value incremented.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel.hpp>

#include <tg/dsl/for_.hpp>
#include <tg/dsl/let.hpp>
#include <tg/dsl/var.hpp>

inline constexpr auto kernel = tg::kernel<"increment">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
  auto count = tg::let(n);
  tg::for_(tg::range(n), [&](auto j) { tg::if_(x(j) > 0.0f, [&] { ++count; }); });
#else
  tg::var<unsigned> count = n;
  tg::for_(tg::range(n), [&](auto j) { tg::if_(x(j) > 0.0f, [&] { count += 1u; }); });
#endif
  y(block.global_index()) = count;
});
