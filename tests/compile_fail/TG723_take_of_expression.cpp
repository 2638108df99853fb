// An expression in which elements are looked up.
// expect: TG723
// expect: name it with tg::eval
#include <tg/array.hpp>
#include <tg/array/take.hpp>

auto run(const tg::array<float, 1>& x, const tg::array<int, 1>& i) {
#ifdef TG_WRONG
  return tg::eval(tg::take(x + 1.0f, i));
#else
  return tg::eval(tg::take(tg::eval(x + 1.0f), i));
#endif
}
