// Two elements stored where four are written.
// expect: TG103
// expect: vec<float, 4>
// expect: vec<float, 2>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"vector_of_other_width">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y.vec<4>(i * 4_c) = x.vec<2>(i * 2_c).get();
#else
  y.vec<4>(i * 4_c) = x.vec<4>(i * 4_c);
#endif
    });
