// A double beside an array of float.
// expect: TG102: this C++ number is of another type than the device value; write 2.0f beside float
#include <tg/array.hpp>

#ifdef TG_WRONG
constexpr auto factor = 2.0;
#else
constexpr auto factor = 2.0f;
#endif

void assign(tg::array<float, 1>& y, const tg::array<float, 1>& x) { y = tg::max(x * factor, 0.0f); }
