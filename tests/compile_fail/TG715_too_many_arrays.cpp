// A hundred and twenty-eight arrays in one expression.
// expect: TG715: an expression has at most 64 arrays
#include <tg/array.hpp>

void assign(tg::array<float, 1>& y, const tg::array<float, 1>& x) {
  const auto four = x * x + x * x;
  const auto sixteen = four * four + four * four;
  const auto more = sixteen * sixteen + sixteen * sixteen;
#ifdef TG_WRONG
  y = more * more;
#else
  y = sixteen;
#endif
}
