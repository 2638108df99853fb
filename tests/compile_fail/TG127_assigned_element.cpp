// An element is assigned to a value in a branch.
// expect: TG127
// expect: tg::var
#include <tg/dsl/kernel.hpp>

#include <tg/dsl/cast.hpp>
#include <tg/dsl/if_.hpp>
#include <tg/dsl/let.hpp>
#include <tg/dsl/var.hpp>

inline constexpr auto kernel = tg::kernel<"assigned_element">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  auto m = tg::let(0.0f * tg::cast<float>(i));
#else
  tg::var<float> m = 0.0f * tg::cast<float>(i);
#endif
  tg::if_(i < n, [&] { m = x(i); });
  y(i) = m;
});
