// A function of elements that captures a number: the kernel of its type would keep the first one.
// expect: TG711: a function of elements captures nothing
#include <tg/array.hpp>

void assign(tg::array<float, 1>& y, const tg::array<float, 1>& x, float scale) {
#ifdef TG_WRONG
  y = tg::map([scale](auto a) { return a * scale; }, x);
#else
  y = tg::map([](auto a, auto s) { return a * s; }, x, scale);
#endif
}
