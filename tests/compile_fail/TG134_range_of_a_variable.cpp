// A variable where a number is meant: its value is `.get()`.
// expect: TG134
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"range">(tg::block<256>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
  tg::var<unsigned> count = x(block.thread.x);
#ifdef TG_WRONG
  tg::for_(tg::range(0u, count), [&](auto) { count += 1u; });
#else
  tg::for_(tg::range(0u, count.get()), [&](auto) { count += 1u; });
#endif
  y(block.thread.x) = count;
});
