// An array as a condition of C++.
// expect: TG717: what arrays hold is not known while C++ runs
#include <tg/array.hpp>

bool is_positive(const tg::array<float, 1>& x) {
#ifdef TG_WRONG
  if (x > 0.0f) return true;
#else
  if (tg::eval(tg::all(x > 0.0f)).item()) return true;
#endif
  return false;
}
