// Thirty-two arrays in one expression.
// expect: TG715: an expression has at most 24 arrays
#include <tg/array.hpp>

void assign(tg::array<float, 1>& y, const tg::array<float, 1>& x) {
  const auto four = x * x + x * x;
  const auto sixteen = four * four + four * four;
#ifdef TG_WRONG
  y = sixteen * sixteen;
#else
  y = sixteen;
#endif
}
