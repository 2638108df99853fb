// Another shape whose number of dimensions is not named.
// expect: TG714
// expect: x.reshape<3>({2, 2, 4})
#include <tg/array.hpp>

void run(tg::array<float, 3>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = x.reshape({2, 2, 4});
#else
  y = x.reshape<3>({2, 2, 4});
#endif
}
