// A mask of numbers: which of them are meant?
// expect: TG722: tg::compress takes a mask of bool
#include <kernels/arrays/select.hpp>

auto kept(const tg::array<float, 1>& x, const tg::array<int, 1>& mask) {
#ifdef TG_WRONG
  return tg::compress(x, mask);
#else
  return tg::compress(x, mask != 0);
#endif
}
