// A variable passed by value.
// expect: TG134
// expect: x.copy()
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"variable_argument">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      tg::var<float> s = x(block.global_index());
      const auto clamp = [](tg::var<float> v) {
        v = v * 0.5f;
        return v.get();
      };
#ifdef TG_WRONG
      y(block.global_index()) = clamp(s);
#else
  y(block.global_index()) = clamp(s.copy());
#endif
    });
