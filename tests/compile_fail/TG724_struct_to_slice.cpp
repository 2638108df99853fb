// A struct assigned to a slice of an array.
// expect: TG724
// expect: arrays and numbers of C++
#include <tg/array.hpp>

struct scale { float number; };

void run(tg::array<float, 1>& y) {
#ifdef TG_WRONG
  y(tg::range(0, 2)) = scale{2.0f};
#else
  y(tg::range(0, 2)) = scale{2.0f}.number;
#endif
}
