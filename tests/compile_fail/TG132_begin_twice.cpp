// A stream that takes work begins again.
// expect: TG132
// expect: state<tg::stream_state::recording>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  auto work = tg::stream(gpu).begin();
#ifdef TG_WRONG
  std::move(work).begin().zero(y);
#else
  work.zero(y);
#endif
}
