// A float stored where bf16 lies.
// expect: TG103
// expect: types<tg::bf16, float>
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"float_to_bf16">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<tg::bf16> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i);
#else
  y(i) = tg::cast<tg::bf16>(x(i));
#endif
    });
