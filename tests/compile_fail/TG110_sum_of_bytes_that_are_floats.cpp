// Arithmetic on 8-bit floats.
// expect: TG110
// expect: f8e4m3
// expect: tg::cast<float>(x)
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"byte_floats">(tg::block<256>, [](auto block, tg::in<tg::f8e4m3> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = tg::cast<float>(x(i) + x(i));
#else
  y(i) = tg::cast<float>(x(i)) + tg::cast<float>(x(i));
#endif
    });
