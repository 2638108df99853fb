// A function of two elements with one operand.
// expect: TG725
// expect: one operand for each of its parameters
#include <tg/array.hpp>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = tg::map([](auto a, auto b) { return a * b; }, x);
#else
  y = tg::map([](auto a, auto b) { return a * b; }, x, x);
#endif
}
