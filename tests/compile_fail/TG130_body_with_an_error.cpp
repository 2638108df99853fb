// An error in the body of a kernel is the only one: what the launch passes is not compared with it.
// expect: missing
// expect-not: TG130:
#include <tg/runtime/device.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto scale =
    tg::kernel<"scale">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      tg::if_(i < n, [&] { y(i) = x.missing(i); });
#else
  tg::if_(i < n, [&] { y(i) = 2.0f * x(i); });
#endif
    });

void run(tg::device& gpu, const tg::buffer<float>& x, tg::buffer<float>& y) {
  gpu.launch(scale, tg::cover(x.size()), x, y, x.size());
}
