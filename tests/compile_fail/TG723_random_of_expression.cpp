// Random numbers of an expression's shape.
// expect: TG723
// expect: name it with tg::eval
#include <tg/array.hpp>
#include <tg/array/random.hpp>

auto run(const tg::array<float, 1>& x) {
#ifdef TG_WRONG
  return tg::eval(tg::uniform(x + 1.0f, 3));
#else
  return tg::eval(tg::uniform(x, 3));
#endif
}
