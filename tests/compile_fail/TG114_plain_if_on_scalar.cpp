// A C++ if on a parameter.
// expect: TG114
// expect: tg::if_(c, [&]{...})
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"plain_if_on_scalar">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<bool> wanted) {
      auto i = block.global_index();
#ifdef TG_WRONG
      if (wanted) y(i) = 0.0f;
#else
  tg::if_(wanted, [&] { y(i) = 0.0f; });
#endif
    });
