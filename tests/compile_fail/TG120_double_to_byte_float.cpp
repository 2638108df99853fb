// A double rounded to 8 bits: there is no one conversion.
// expect: TG120
// expect: types<tg::f8e5m2, double>
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"double_to_byte">(tg::block<256>, [](auto block, tg::in<double> x, tg::out<tg::f8e5m2> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = tg::cast<tg::f8e5m2>(x(i));
#else
  y(i) = tg::cast<tg::f8e5m2>(tg::cast<float>(x(i)));
#endif
    });
