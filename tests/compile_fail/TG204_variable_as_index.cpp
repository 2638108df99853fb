// A variable as an index.
// expect: TG204
// expect: tg::gather(index)
#include <tg/dsl/kernel.hpp>

#include <tg/dsl/var.hpp>

inline constexpr auto kernel = tg::kernel<"variable_as_index">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
  tg::var<unsigned> at = i;
#ifdef TG_WRONG
  y(i) = x(at);
#else
  y(i) = x(tg::gather(at));
#endif
});
