// Sixteen halves in one access.
// expect: TG111
// expect: types<tg::f16, tg::diagnosis::elements<16>
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"sixteen_halves">(tg::block<256>, [](auto block, tg::in<tg::f16> x, tg::out<tg::f16> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      auto v = x.vec<16>(i * 16_c);
#else
  auto v = x.vec<8>(i * 8_c);
#endif
      y(i) = v(0_c);
    });
