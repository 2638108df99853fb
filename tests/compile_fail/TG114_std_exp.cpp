// A function of the C++ library on an element, in a file that does not include <cmath>.
// expect: TG114
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel = tg::kernel<"std_exp">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  y(i) = std::exp(x(i));
#else
  y(i) = tg::exp(x(i));
#endif
});
