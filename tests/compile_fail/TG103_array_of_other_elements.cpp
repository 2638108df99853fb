// The elements of an expression have another type than those of the array that it is assigned to.
// expect: TG103: the stored value has another type than its destination
#include <tg/array.hpp>

#ifdef TG_WRONG
using element = float;
#else
using element = int;
#endif

void assign(tg::array<element, 1>& y, const tg::array<int, 1>& x) { y = x + 1; }
