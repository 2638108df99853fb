// Elements in braces assigned to a slice of an array.
// expect: TG138
// expect: x.copy_from(std::vector<float>{1, 2})
#include <tg/array.hpp>

#include <vector>

void run(const tg::device& gpu, tg::array<float, 1>& x) {
#ifdef TG_WRONG
  (void)gpu, x(tg::range(0, 2)) = {1, 2.5f};
#else
  x(tg::range(0, 2)) = tg::array(gpu, std::vector<float>{1, 2.5f});
#endif
}
