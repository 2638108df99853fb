// An array of long double.
// expect: TG716: arrays hold integers, float, double, bool, f16, bf16, f8e4m3 or f8e5m2
#include <tg/array.hpp>

#ifdef TG_WRONG
using element = long double;
#else
using element = double;
#endif

void fill(tg::device& gpu) { tg::array<element, 1> x(gpu, {8}); }
