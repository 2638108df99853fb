// The left operand of a product needs whole rows before its first element is known.
// expect: TG718: tg::matmul stands in an expression without other products and reductions
#include <tg/array.hpp>
#include <tg/array/matmul.hpp>

void assign(tg::array<float, 2>& y, const tg::array<float, 2>& x, const tg::array<float, 2>& w) {
#ifdef TG_WRONG
  y = tg::matmul(tg::softmax<1>(x), w);
#else
  y = tg::matmul(tg::eval(tg::softmax<1>(x)), w);
#endif
}
