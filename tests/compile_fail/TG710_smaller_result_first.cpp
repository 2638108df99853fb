// Of several results the first has as many dimensions as any.
// expect: TG710: the expression has more dimensions than the array that it is assigned to
#include <tg/array.hpp>

void assign(tg::array<float, 2>& y, tg::array<float, 1>& m, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  tg::assign(tg::into(m) = tg::sum<1>(x), tg::into(y) = x * 2.0f);
#else
  tg::assign(tg::into(y) = x * 2.0f, tg::into(m) = tg::sum<1>(x));
#endif
}
