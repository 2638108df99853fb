// A C++ float beside a half.
// expect: TG102
// expect: types<tg::f16, float>
// expect: tg::f16(2) beside f16
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"literal_beside_half">(tg::block<256>, [](auto block, tg::in<tg::f16> x, tg::out<tg::f16> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i) * 2.0f;
#else
  y(i) = x(i) * tg::f16(2.0f);
#endif
    });
