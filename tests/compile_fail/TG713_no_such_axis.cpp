// Axis 2 of a matrix.
// expect: TG713: axes are 0 to rank - 1
#include <tg/array.hpp>

#ifdef TG_WRONG
constexpr int axis = 2;
#else
constexpr int axis = 1;
#endif

void assign(tg::array<float, 1>& y, const tg::array<float, 2>& x) { y = tg::sum<axis>(x); }
