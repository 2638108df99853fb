// A sum along rows of a product of matrices: two kernels, not one.
// expect: TG718: tg::matmul stands in an expression without other products and reductions
#include <tg/array.hpp>
#include <tg/array/matmul.hpp>

void assign(tg::array<float, 1>& y, const tg::array<float, 2>& x, const tg::array<float, 2>& w) {
#ifdef TG_WRONG
  y = tg::sum<1>(tg::matmul(x, w));
#else
  y = tg::sum<1>(tg::eval(tg::matmul(x, w)));
#endif
}
