// A struct assigned to an array.
// expect: TG724
// expect: arrays and numbers of C++
#include <tg/array.hpp>

struct scale { float number; };

void run(tg::array<float, 2>& y) {
#ifdef TG_WRONG
  y = scale{2.0f};
#else
  y = scale{2.0f}.number;
#endif
}
