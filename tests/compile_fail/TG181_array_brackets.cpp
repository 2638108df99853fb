// An element of an array in brackets.
// expect: TG181
#include <tg/array.hpp>

void assign(tg::array<float, 1>& x) {
#ifdef TG_WRONG
  x[3] = 1.0f;
#else
  x(3) = 1.0f;
#endif
}
