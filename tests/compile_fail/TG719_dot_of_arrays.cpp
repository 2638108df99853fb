// The word of tiles for a product of arrays.
// expect: TG719
// expect: tg::matmul(x, w)
#include <tg/array.hpp>
#include <tg/array/matmul.hpp>
#include <tg/tile.hpp>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x, const tg::array<float, 2>& w) {
#ifdef TG_WRONG
  y = tg::dot(x, w);
#else
  y = tg::matmul(x, w);
#endif
}
