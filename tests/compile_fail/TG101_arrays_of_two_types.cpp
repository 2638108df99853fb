// Arrays of two types in one expression.
// expect: TG101: the operands have different types
#include <tg/array.hpp>

#ifdef TG_WRONG
using element = float;
#else
using element = double;
#endif

void assign(tg::array<double, 1>& y, const tg::array<double, 1>& x, const tg::array<element, 1>& z) { y = x + z; }
