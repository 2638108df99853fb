// Signed < unsigned.
// expect: TG101
// expect: types<unsigned int, int>
// expect: tg::cast<T>(x)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

inline constexpr auto kernel =
    tg::kernel<"mixed_comparison">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<int> n) {
      auto i = block.global_index();
#ifdef TG_WRONG
      tg::if_(i < n, [&] { y(i) = 0.0f; });
#else
  tg::if_(i < tg::cast<unsigned>(n), [&] { y(i) = 0.0f; });
#endif
    });
