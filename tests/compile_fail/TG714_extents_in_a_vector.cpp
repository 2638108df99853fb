// Extents in a vector, whose length the compiler does not know.
// expect: TG714
// expect: {v[0], v[1]}
#include <tg/array.hpp>

#include <cstdint>
#include <vector>

void make(const tg::device& gpu, const std::vector<std::int64_t>& v) {
#ifdef TG_WRONG
  tg::array<float, 2> x(gpu, v);
#else
  tg::array<float, 2> x(gpu, {v[0], v[1]});
#endif
}
