// An axis as a template argument and as an argument.
// expect: TG713
// expect: axes are template arguments
#include <tg/array.hpp>

void run(tg::array<float, 1>& v, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  v = tg::sum<1>(x, 1);
#else
  v = tg::sum<1>(x);
#endif
}
