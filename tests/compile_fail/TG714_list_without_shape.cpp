// Elements in the place of the shape.
// expect: TG714
// expect: elements come behind it
#include <tg/array/array.hpp>

tg::array<float, 1> run(const tg::device& gpu) {
#ifdef TG_WRONG
  return tg::array<float, 1>(gpu, {1.0f, 2.0f, 3.0f});
#else
  return tg::array<float, 1>(gpu, {3}, {1.0f, 2.0f, 3.0f});
#endif
}
