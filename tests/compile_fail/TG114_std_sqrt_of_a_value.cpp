// A function of the C++ library on a value.
// expect: TG114
#include <tg/dsl/kernel/kernel.hpp>

#include <cmath>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel =
    tg::kernel<"std_sqrt_of_a_value">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      const auto v = tg::let(x(i));
      y(i) = std::sqrt(v);
#else
  const auto v = tg::let(x(i));
  y(i) = tg::sqrt(v);
#endif
    });
