// A half and a float.
// expect: TG101
// expect: types<tg::f16, float>
// expect: tg::cast<T>(x)
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"half_plus_float">(tg::block<256>, [](auto block, tg::in<tg::f16> x, tg::in<float> y, tg::out<float> z) {
      auto i = block.global_index();
#ifdef TG_WRONG
      z(i) = x(i) + y(i);
#else
  z(i) = tg::cast<float>(x(i)) + y(i);
#endif
    });
