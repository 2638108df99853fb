// std::max of an array and a number.
// expect: TG114
// expect: tg::max(x, 0.0f)
#include <tg/array.hpp>

#include <algorithm>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = std::max(x, 0.0f);
#else
  y = tg::max(x, 0.0f);
#endif
}
