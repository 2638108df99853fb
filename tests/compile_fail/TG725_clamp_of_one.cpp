// A clamp without limits.
// expect: TG725
// expect: tg::clamp(x, low, high)
#include <tg/array.hpp>

void run(tg::array<float, 1>& y, const tg::array<float, 1>& x) {
#ifdef TG_WRONG
  y = tg::clamp(x);
#else
  y = tg::clamp(x, 0.0f, 1.0f);
#endif
}
