// A value added to.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"compound">(tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<unsigned> n) {
      const auto i = block.global_index();
#ifdef TG_WRONG
      auto s = tg::let(y(i));
#else
  tg::var<float> s = y(i);
#endif
      tg::for_(tg::range(n), [&](auto j) { s += x(j); });
      y(i) = s;
    });
