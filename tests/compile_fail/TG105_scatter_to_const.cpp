// Elements that go to computed indices of a const array.
// expect: TG105: a const array
#include <tg/array.hpp>
#include <tg/array/scatter.hpp>

#ifdef TG_WRONG
using array = const tg::array<float, 1>;
#else
using array = tg::array<float, 1>;
#endif

void run(array& z, const tg::array<int, 1>& i, const tg::array<float, 1>& x) { tg::add_at(z, i, x); }
