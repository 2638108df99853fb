// A number beside &&.
// expect: TG104
// expect: x != 0
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"logic_on_numbers">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
      auto i = block.global_index();
#ifdef TG_WRONG
      tg::if_(i < n && n, [&] { y(i) = 0.0f; });
#else
  tg::if_(i < n && n != 0, [&] { y(i) = 0.0f; });
#endif
    });
