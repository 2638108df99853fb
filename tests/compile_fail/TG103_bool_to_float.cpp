// A condition stored to float.
// expect: TG103
// expect: types<float, bool>
// expect: tg::cast<T>(x)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

inline constexpr auto kernel = tg::kernel<"bool_to_float">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i) > 0.0f;
#else
  y(i) = tg::cast<float>(x(i) > 0.0f);
#endif
});
