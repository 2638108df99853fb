// The end of a capture that never began.
// expect: TG132
// expect: state<tg::stream_state::recording>
#include <tg/runtime/capture.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
#ifdef TG_WRONG
  auto work = tg::stream(gpu).begin();
#else
  auto work = tg::stream(gpu).capture();
#endif
  work.zero(y);
  std::move(work).end();
}
