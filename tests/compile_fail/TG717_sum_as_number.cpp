// A sum as a number of C++.
// expect: TG717
// expect: tg::eval(tg::sum(x)).item()
#include <tg/array.hpp>

float run(const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  return tg::sum(x);
#else
  return tg::eval(tg::sum(x)).item();
#endif
}
