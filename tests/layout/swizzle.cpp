#include <tg/layout/swizzle.hpp>

#include <doctest/doctest.h>

#include <set>

static_assert(tg::swizzle<5>.apply(0) == 0);
static_assert(tg::swizzle<5>.apply(32 * 3 + 7) == 32 * 3 + (7 ^ 3));
static_assert(tg::swizzle<3, 2, 5>.mask == 0b11100);
static_assert(tg::swizzle<3, 2, 3>.apply(0b10100000) == 0b10110100);

TEST_CASE_TEMPLATE("a swizzle permutes its tile and undoes itself", Swizzle, tg::swizzle_t<5>, tg::swizzle_t<3, 2, 3>,
                   tg::swizzle_t<2, 3, 4>, tg::swizzle_t<0>) {
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < 1024; ++i) {
    const std::int64_t at = Swizzle::apply(i);
    CHECK(at >= 0);
    CHECK(at < 1024);
    CHECK(Swizzle::apply(at) == i);
    seen.insert(at);
  }
  CHECK(seen.size() == 1024);
}
