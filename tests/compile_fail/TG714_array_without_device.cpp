// A shape without braces and without a device.
// expect: TG714
// expect: an array is made with its device
#include <tg/array.hpp>

tg::array<float, 2> run(const tg::device& gpu) {
#ifdef TG_WRONG
  return (void)gpu, tg::array<float, 2>(4, 4);
#else
  return tg::array<float, 2>(gpu, {4, 4});
#endif
}
