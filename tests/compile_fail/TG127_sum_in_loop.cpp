// A sum kept in a value.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"sum_in_loop">(tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<unsigned> n) {
      const auto i = block.global_index();
#ifdef TG_WRONG
      auto s = y(i) * 2.0f;
#else
  tg::var<float> s = y(i) * 2.0f;
#endif
      tg::for_(tg::range(n), [&](auto j) { s = s + x(j); });
      y(i) = s;
    });
