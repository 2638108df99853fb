// A float as an index.
// expect: TG109
// expect: tg::cast<unsigned>(x)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

inline constexpr auto kernel = tg::kernel<"float_index">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(x(i));
#else
  y(i) = x(tg::gather(tg::cast<unsigned>(x(i))));
#endif
});
