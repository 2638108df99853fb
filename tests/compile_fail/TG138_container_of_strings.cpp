// A container whose elements are not made of those of a buffer.
// expect: TG138
// expect: name one of their own type
#include <tg/runtime/device.hpp>

#include <string>
#include <vector>

#ifdef TG_WRONG
using number = std::string;
#else
using number = double;
#endif

void run(const tg::buffer<float>& y) { y.to<std::vector<number>>(); }
