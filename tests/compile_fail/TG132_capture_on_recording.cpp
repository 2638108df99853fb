// A capture of a stream that has work under way.
// expect: TG132
// expect: state<tg::stream_state::recording>
#include <tg/runtime/capture.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  auto work = tg::stream(gpu).begin();
  work.zero(y);
#ifdef TG_WRONG
  auto capturing = std::move(work).capture();
#else
  auto capturing = std::move(work).submit().wait().capture();
#endif
}
