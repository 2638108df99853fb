// A matrix made of a vector of rows.
// expect: TG138
// expect: one flat range, row by row
#include <tg/array/array.hpp>

#include <vector>

#ifdef TG_WRONG
using elements = std::vector<std::vector<float>>;
#else
using elements = std::vector<float>;
#endif

tg::array<float, 2> run(const tg::device& gpu, const elements& v) { return tg::array<float, 2>(gpu, {2, 3}, v); }
