// Neighbours in an expression.
// expect: TG723
// expect: name it with tg::eval
#include <tg/array.hpp>
#include <tg/array/take.hpp>

auto run(const tg::array<float, 1>& x) {
#ifdef TG_WRONG
  return tg::eval(tg::shifted<0>(x + 1.0f, 1));
#else
  return tg::eval(tg::shifted<0>(x, 1) + 1.0f);
#endif
}
