// A buffer of double for a view of float.
// expect: TG131
// expect: argument<1>
// expect: expected<tg::diagnosis::parameter::in<float>
// expect: given<tg::buffer<double>
#include <tg/runtime/device.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto scale = tg::kernel<"scale">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<float> by, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = by * x(i); });
    });

void run(tg::device& gpu, tg::buffer<float>& x, tg::buffer<double>& wide, tg::buffer<float>& y) {
#ifdef TG_WRONG
  gpu.launch(scale, tg::cover(x.size()), wide, y, 2.0f, x.size());
#else
  gpu.launch(scale, tg::cover(wide.size()), x, y, 2.0f, x.size());
#endif
}
