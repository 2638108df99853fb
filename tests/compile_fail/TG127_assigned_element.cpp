// An element is assigned to a value in a branch.
// expect: TG127
// expect: tg::var
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"assigned_element">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      auto m = tg::let(0.0f * tg::cast<float>(i));
#else
  tg::var<float> m = 0.0f * tg::cast<float>(i);
#endif
      tg::if_(i < n, [&] { m = x(i); });
      y(i) = m;
    });
