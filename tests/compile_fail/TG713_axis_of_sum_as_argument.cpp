// An axis that stands as an argument.
// expect: TG713
// expect: axes are template arguments
#include <tg/array.hpp>

auto run(const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  return tg::eval(tg::sum(x, 1));
#else
  return tg::eval(tg::sum<1>(x));
#endif
}
