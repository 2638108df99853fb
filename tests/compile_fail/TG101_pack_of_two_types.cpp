// A half beside a float in one register.
// expect: TG101
// expect: types<tg::f16, tg::f16, float>
#include <tg/dsl/vector/packed.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"pack_of_two_types">(tg::block<256>, [](auto block, tg::in<tg::f16> x, tg::in<float> y, tg::out<tg::f16x2> z) {
      auto i = block.global_index();
#ifdef TG_WRONG
      z(i) = tg::pack(x(i), y(i));
#else
  z(i) = tg::pack(x(i), tg::cast<tg::f16>(y(i)));
#endif
    });
