// A vector of the host as an operand.
// expect: TG138
// expect: make an array of them
#include <tg/array.hpp>

#include <vector>

auto run(const tg::device& gpu, const tg::array<float, 1>& x, const std::vector<float>& v) {
#ifdef TG_WRONG
  (void)gpu;
  return tg::eval(x * v);
#else
  return tg::eval(x * tg::array(gpu, v));
#endif
}
