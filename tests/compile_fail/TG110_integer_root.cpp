// The square root of an integer.
// expect: TG110
// expect: unsigned int
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/math.hpp>

inline constexpr auto kernel = tg::kernel<"integer_root">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = tg::cast<float>(tg::sqrt(i));
#else
  y(i) = tg::sqrt(tg::cast<float>(i));
#endif
});
