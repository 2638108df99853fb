// Matrices of two types.
// expect: TG719: tg::matmul multiplies matrices of the same elements
#include <tg/array.hpp>
#include <tg/array/matmul.hpp>

void assign(tg::array<float, 2>& y, const tg::array<tg::bf16, 2>& x, const tg::array<float, 2>& w) {
#ifdef TG_WRONG
  y = tg::matmul(x, w);
#else
  y = tg::matmul(x, tg::cast<tg::bf16>(w));
#endif
}
