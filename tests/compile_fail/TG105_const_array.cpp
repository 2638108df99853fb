// An assignment to a const array.
// expect: TG105
// expect: a const array
#include <tg/array.hpp>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  const auto z = y;
  z = x;
#else
  y = x;
#endif
}
