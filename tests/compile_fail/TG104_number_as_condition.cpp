// A number as a condition.
// expect: TG104
// expect: x != 0
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"number_as_condition">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
      auto i = block.global_index();
#ifdef TG_WRONG
      tg::if_(n, [&] { y(i) = 0.0f; });
#else
  tg::if_(n != 0, [&] { y(i) = 0.0f; });
#endif
    });
