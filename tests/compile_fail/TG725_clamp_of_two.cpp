// A clamp without a largest number.
// expect: TG725
// expect: tg::clamp(x, low, high)
#include <tg/array.hpp>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = tg::clamp(x, 0.0f);
#else
  y = tg::clamp(x, 0.0f, 1.0f);
#endif
}
