// A stream that is waited for is idle, and known as something else.
// expect: TG133
// expect: state<tg::stream_state::submitted>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu) {
  auto going = tg::stream(gpu).begin().submit();
#ifdef TG_WRONG
  going.wait();
#else
  std::move(going).wait();
#endif
}
