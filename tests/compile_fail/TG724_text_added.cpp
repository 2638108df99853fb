// Text that is added to an array.
// expect: TG724
// expect: arrays and numbers of C++
#include <tg/array.hpp>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = x, y += "a";
#else
  y = x, y += 1.0f;
#endif
}
