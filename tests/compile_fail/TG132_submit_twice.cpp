// A stream that was submitted is submitted again.
// expect: TG132
// expect: state<tg::stream_state::submitted>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu) {
  auto going = tg::stream(gpu).begin().submit();
#ifdef TG_WRONG
  std::move(going).submit().wait();
#else
  std::move(going).wait();
#endif
}
