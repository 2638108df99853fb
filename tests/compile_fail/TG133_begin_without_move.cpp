// An idle stream that begins and stays idle.
// expect: TG133
// expect: state<tg::stream_state::idle>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu) {
  tg::stream idle(gpu);
#ifdef TG_WRONG
  idle.begin();
#else
  std::move(idle).begin().submit().wait();
#endif
}
