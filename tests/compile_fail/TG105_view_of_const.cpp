// Assignment to a part of a constant array.
// expect: TG105
#include <tg/array.hpp>

#ifdef TG_WRONG
using array = const tg::array<float, 1>;
#else
using array = tg::array<float, 1>;
#endif

void assign(array& x) { x(tg::range(0, 4)) = 1.0f; }
