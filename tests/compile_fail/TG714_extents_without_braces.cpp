// Extents that are no list.
// expect: TG714
// expect: one list in braces is a shape
#include <tg/array/array.hpp>

tg::array<float, 2> run(const tg::device& gpu) {
#ifdef TG_WRONG
  return tg::array<float, 2>(gpu, 3, 4);
#else
  return tg::array<float, 2>(gpu, {3, 4});
#endif
}
