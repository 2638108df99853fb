// A vector of the host assigned to an array.
// expect: TG138
// expect: x.copy_from(v)
#include <tg/array/array.hpp>

#include <vector>

void run(tg::array<float, 1>& x, const std::vector<float>& v) {
#ifdef TG_WRONG
  x = v;
#else
  x.copy_from(v);
#endif
}
