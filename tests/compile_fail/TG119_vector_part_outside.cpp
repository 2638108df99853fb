// The fifth element of four.
// expect: TG119
// expect: constant<4>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"vector_part_outside">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x.vec<4>(i * 4_c)(4_c);
#else
  y(i) = x.vec<4>(i * 4_c)(3_c);
#endif
    });
