// A vector of the host assigned to a slice of an array.
// expect: TG138
// expect: make an array of them
#include <tg/array/array.hpp>

#include <vector>

void run(const tg::device& gpu, tg::array<float, 1>& x, const std::vector<float>& v) {
#ifdef TG_WRONG
  x(tg::range(0, 2)) = v;
#else
  x(tg::range(0, 2)) = tg::array(gpu, v);
#endif
}
