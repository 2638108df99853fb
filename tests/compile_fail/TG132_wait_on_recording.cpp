// Waiting for a stream that still takes work.
// expect: TG132
// expect: state<tg::stream_state::recording>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  auto work = tg::stream(gpu).begin();
  work.zero(y);
#ifdef TG_WRONG
  std::move(work).wait();
#else
  std::move(work).submit().wait();
#endif
}
