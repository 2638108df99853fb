// A matrix assigned to a vector.
// expect: TG710: the expression has more dimensions than the array that it is assigned to
// expect: rank_of_expression<2>
// expect: rank_of_array<1>
#include <tg/array.hpp>

#ifdef TG_WRONG
constexpr int rank = 1;
#else
constexpr int rank = 2;
#endif

void assign(tg::array<float, rank>& y, const tg::array<float, 2>& x, const tg::array<float, 1>& w) { y = x * w; }
