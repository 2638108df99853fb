// More work for a stream that was submitted.
// expect: TG132
// expect: state<tg::stream_state::submitted>
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu, tg::buffer<float>& x, tg::buffer<float>& y) {
  auto going = tg::stream(gpu).begin().submit();
#ifdef TG_WRONG
  going.copy(x, y);
#else
  auto more = std::move(going).begin();
  more.copy(x, y);
#endif
}
