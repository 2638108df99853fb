// A stream stays usable by its old name after it was submitted.
// expect: TG133
// expect: std::move(stream)
#include <tg/runtime/stream.hpp>

void run(const tg::device& gpu, tg::buffer<float>& y) {
  auto work = tg::stream(gpu).begin();
  work.zero(y);
#ifdef TG_WRONG
  work.submit();
#else
  std::move(work).submit().wait();
#endif
}
