// Waiting for a stream that was given nothing.
// expect: TG132
// expect: state<tg::stream_state::idle>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu) {
  tg::stream idle(gpu);
#ifdef TG_WRONG
  std::move(idle).wait();
#else
  std::move(idle).begin().submit().wait();
#endif
}
