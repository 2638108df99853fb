// A capture inside a capture.
// expect: TG132
// expect: state<tg::stream_state::captured>
#include <tg/runtime/capture.hpp>

void run(const tg::device& gpu) {
  auto capturing = tg::stream(gpu).capture();
#ifdef TG_WRONG
  std::move(capturing).capture();
#else
  std::move(capturing).end();
#endif
}
