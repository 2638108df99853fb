// A capture that ends and goes on.
// expect: TG133
// expect: state<tg::stream_state::captured>
#include <tg/runtime/capture.hpp>

void run(const tg::device& gpu) {
  auto capturing = tg::stream(gpu).capture();
#ifdef TG_WRONG
  capturing.end();
#else
  std::move(capturing).end();
#endif
}
