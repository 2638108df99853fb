// A container whose elements are not made of those of an array.
// expect: TG138
// expect: name one of their own type
#include <tg/array/array.hpp>

#include <string>
#include <vector>

#ifdef TG_WRONG
using number = std::string;
#else
using number = double;
#endif

void run(const tg::array<float, 2>& y) { y.to<std::vector<number>>(); }
