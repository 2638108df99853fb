// Sums of rows that go to computed indices: a row has one sum, and many threads.
// expect: TG720: what goes to computed indices holds no reductions
#include <tg/array.hpp>
#include <tg/array/scatter.hpp>

void add(tg::array<float, 1>& y, const tg::array<int, 1>& i, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  tg::add_at(y, i, tg::sum<1>(x));
#else
  tg::add_at(y, i, tg::eval(tg::sum<1>(x)));
#endif
}
