// A vector of three.
// expect: TG111
// expect: elements<3>
// expect: 2, 4, 8 or 16 elements
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"three_wide">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  auto v = x.vec<3>(i * 4_c);
#else
  auto v = x.vec<4>(i * 4_c);
#endif
  y(i) = v(0_c);
});
