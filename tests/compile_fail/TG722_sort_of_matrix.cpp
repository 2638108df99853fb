// A sort of a matrix: of which line?
// expect: TG722: tg::sort sorts an array of rank 1
#include <kernels/arrays/sort.hpp>

auto sorted(const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  return tg::sort(x);
#else
  return tg::sort(x(tg::full_extent, 0));
#endif
}
