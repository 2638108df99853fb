// A permutation that names an axis twice.
// expect: TG713: axes are 0 to rank - 1
#include <tg/array.hpp>

#ifdef TG_WRONG
constexpr int second = 1;
#else
constexpr int second = 0;
#endif

void assign(tg::array<float, 2>& y, const tg::array<float, 2>& x) { y = tg::permute<1, second>(x) + 0.0f; }
