// A double stored to float.
// expect: TG103
// expect: types<float, double>
// expect: tg::cast<T>(x)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

inline constexpr auto kernel =
    tg::kernel<"narrowing_store">(tg::block<256>, [](auto block, tg::in<double> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i);
#else
  y(i) = tg::cast<float>(x(i));
#endif
    });
