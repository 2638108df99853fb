// A value that is to get its number later.
// expect: TG127
// expect: tg::var<float> v = 0.0f
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"value_without_number">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = block.global_index();
#ifdef TG_WRONG
      tg::value<float> v;
#else
  tg::var<float> v = 0.0f;
  tg::if_(i < n, [&] { v = x(i); });
#endif
      y(i) = v;
    });
