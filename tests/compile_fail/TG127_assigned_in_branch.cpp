// A value changed in a branch.
// expect: TG127
// expect: tg::var<float> s = x(i)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"assigned_in_branch">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      const auto i = block.global_index();
#ifdef TG_WRONG
      auto m = tg::let(x(i));
#else
  tg::var<float> m = x(i);
#endif
      tg::if_(m < 0.0f, [&] { m = -m; });
      y(i) = m;
    });
