// Indices that are floats.
// expect: TG109
#include <tg/array.hpp>

#ifdef TG_WRONG
using place = float;
#else
using place = int;
#endif

void assign(tg::array<float, 1>& y, const tg::array<float, 1>& x, const tg::array<place, 1>& i) { y = tg::take(x, i); }
