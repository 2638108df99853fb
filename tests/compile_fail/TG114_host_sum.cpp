// A device value added to a float of the host.
// expect: TG114
// expect: tg::var<float> s in place of float s
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel = tg::kernel<"host_sum">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  float s = 0.0f;
  s += x(i);
  y(i) = s;
#else
  tg::var<float> s = 0.0f;
  s += x(i);
  y(i) = s;
#endif
});
