// A const buffer for a view that is written.
// expect: TG131
// expect: argument<2>
// expect: given<const tg::buffer<float>
#include <tg/runtime/device.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto scale = tg::kernel<"scale">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<float> by, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = by * x(i); });
    });

void run(tg::device& gpu, const tg::buffer<float>& x, tg::buffer<float>& y) {
#ifdef TG_WRONG
  const auto& out = y;
#else
  auto& out = y;
#endif
  gpu.launch(scale, tg::cover(x.size()), x, out, 2.0f, x.size());
}
