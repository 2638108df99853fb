// A system of integers has no solution of integers.
// expect: TG722: tg::cholesky_solve takes matrices of float or double
#include <kernels/arrays/linear_algebra.hpp>

#ifdef TG_WRONG
auto solved(const tg::array<int, 2>& l, const tg::array<int, 1>& b) { return tg::cholesky_solve(l, b); }
#else
auto solved(const tg::array<float, 2>& l, const tg::array<float, 1>& b) { return tg::cholesky_solve(l, b); }
#endif
