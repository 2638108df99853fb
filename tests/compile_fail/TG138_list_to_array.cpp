// Elements in braces assigned to an array.
// expect: TG138
// expect: x.copy_from(std::vector<float>{1, 2})
#include <tg/array.hpp>

#include <vector>

void run(tg::array<float, 1>& x) {
#ifdef TG_WRONG
  x = {1, 2.5f};
#else
  x.copy_from(std::vector<float>{1, 2.5f});
#endif
}
