// A variable assigned another type.
// expect: TG103
// expect: types<float, unsigned int>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"variable_of_other_type">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
  tg::var<float> v = 0.0f;
#ifdef TG_WRONG
  v = i;
#else
  v = tg::cast<float>(i);
#endif
  y(i) = v;
});
