// A plain buffer for a view of rank 2.
// expect: TG131
// expect: argument<1>
// expect: tg::matrix
#include <tg/runtime/device.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto clear =
    tg::kernel<"clear">(tg::block<32, 8>, [](auto block, tg::out2<float> a, tg::scalar<unsigned> rows) {
      auto row = tg::let(block.index.y * 8u + block.thread.y);
      auto column = tg::let(block.index.x * 32u + block.thread.x);
      tg::if_(row < rows, [&] { a(row, column) = 0.0f; });
    });

void run(tg::device& gpu, tg::buffer<float>& a) {
#ifdef TG_WRONG
  gpu.launch(clear, tg::cover(64, 64), a, 64);
#else
  gpu.launch(clear, tg::cover(64, 64), tg::matrix(a, 64, 64), 64);
#endif
}
