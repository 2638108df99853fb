// Waiting inside a capture would break it.
// expect: TG132
// expect: state<tg::stream_state::captured>
#include <tg/runtime/capture.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  auto capturing = tg::stream(gpu).capture();
  capturing.zero(y);
#ifdef TG_WRONG
  std::move(capturing).wait();
#else
  std::move(capturing).end().stream.native();
#endif
}
