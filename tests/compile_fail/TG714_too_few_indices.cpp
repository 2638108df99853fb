// One index for a matrix.
// expect: TG714: an array takes one index for each dimension
#include <tg/array.hpp>

void assign(tg::array<float, 2>& x) {
#ifdef TG_WRONG
  x(3) = 1.0f;
#else
  x(3, tg::full_extent) = 1.0f;
#endif
}
