// A C++ if on a value.
// expect: TG114
// expect: tg::if_(c, [&]{...})
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"plain_if">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
  auto i = block.global_index();
#ifdef TG_WRONG
  if (i < n) y(i) = 0.0f;
#else
  tg::if_(i < n, [&] { y(i) = 0.0f; });
#endif
});
