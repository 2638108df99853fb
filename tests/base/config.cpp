#include <tg/base/config.hpp>

#include <doctest/doctest.h>

static_assert(TG_VERSION_MAJOR >= 0 && TG_VERSION_MINOR >= 0 && TG_VERSION_PATCH >= 0);

namespace {

TG_ALWAYS_INLINE int twice(int x) { return 2 * x; }
TG_COLD int sum_of(const int* x, int count) {
  int out = 0;
  TG_INDEPENDENT
  for (int i = 0; i < count; ++i) out += x[i];
  return out;
}

}  // namespace

TEST_CASE("the macros change speed, never results") {
  const int x[] = {1, 2, 3};
  CHECK(twice(sum_of(x, 3)) == 12);
}
