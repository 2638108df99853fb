// A constant that its type cannot hold.
// expect: TG102
// expect: types<unsigned int, tg::constant<5000000000>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"constant_too_large">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i + 5000000000_c) = 0.0f;
#else
  y(i + 500_c) = 0.0f;
#endif
});
