// Work for a stream that has not begun.
// expect: TG132
// expect: state<tg::stream_state::idle>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  tg::stream idle(gpu);
#ifdef TG_WRONG
  idle.zero(y);
#else
  auto work = std::move(idle).begin();
  work.zero(y);
#endif
}
