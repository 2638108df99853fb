// An integer assigned to an array of float.
// expect: TG102: this C++ number is of another type than the device value; write 2.0f beside float
#include <tg/array.hpp>

#ifdef TG_WRONG
constexpr auto number = 3;
#else
constexpr auto number = 3.0f;
#endif

void assign(tg::array<float, 1>& y) { y = number; }
