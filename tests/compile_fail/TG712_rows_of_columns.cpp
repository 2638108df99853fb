// A sum over columns of the largest elements of rows: two kernels, not one.
// expect: TG712: reductions along different axes are not one kernel
#include <tg/array.hpp>

void assign(tg::array<float, 0>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = tg::sum(tg::max<1>(x));
#else
  y = tg::sum(tg::eval(tg::max<1>(x)));
#endif
}
