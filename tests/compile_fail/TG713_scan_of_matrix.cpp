// Sums up to each element of a matrix: along which axis?
// expect: TG713: axes are 0 to rank - 1
#include <tg/array.hpp>

void assign(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = tg::cumsum(x);
#else
  y = tg::cumsum<1>(x);
#endif
}
