// A struct in front of an array.
// expect: TG724
// expect: arrays and numbers of C++
#include <tg/array.hpp>

struct scale { float number; };

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = scale{2.0f} * x;
#else
  y = scale{2.0f}.number * x;
#endif
}
