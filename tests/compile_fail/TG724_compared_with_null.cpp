// A comparison with a null pointer.
// expect: TG724
// expect: arrays and numbers of C++
#include <tg/array.hpp>

auto run(const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  return tg::eval(x == nullptr);
#else
  return tg::eval(x == 0.0f);
#endif
}
