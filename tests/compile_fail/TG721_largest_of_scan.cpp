// The largest of sums up to each element: the scan is whole before its largest is known.
// expect: TG721: a scan is no operand of a reduction
#include <tg/array.hpp>

void assign(tg::array<float, 1>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = tg::max<1>(tg::cumsum<1>(x));
#else
  y = tg::max<1>(tg::eval(tg::cumsum<1>(x)));
#endif
}
