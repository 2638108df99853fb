// A captured stream has nothing under way.
// expect: TG132
// expect: state<tg::stream_state::captured>
#include <tg/runtime/capture.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  auto capturing = tg::stream(gpu).capture();
  capturing.zero(y);
#ifdef TG_WRONG
  auto going = std::move(capturing).submit();
#else
  auto [graph, idle] = std::move(capturing).end();
#endif
}
