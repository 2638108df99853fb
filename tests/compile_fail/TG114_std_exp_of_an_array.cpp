// std::exp of an array.
// expect: TG114
// expect: tg::exp(x)
#include <tg/array.hpp>

#include <cmath>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = std::exp(x);
#else
  y = tg::exp(x);
#endif
}
