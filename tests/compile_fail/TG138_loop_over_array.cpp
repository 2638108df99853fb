// A loop of C++ over the elements of an array.
// expect: TG138
// expect: x.to_host()
#include <tg/array.hpp>

float run(const tg::array<float, 1>& x) {
#ifdef TG_WRONG
  for (float v : x) return v;
#else
  for (float v : x.to_host()) return v;
#endif
  return 0;
}
