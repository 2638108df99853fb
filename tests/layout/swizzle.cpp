#include <tg/layout/swizzle.hpp>

#include <doctest/doctest.h>

#include <set>

static_assert(tg::swizzle<5>.apply(0) == 0);
static_assert(tg::swizzle<5>.apply(32 * 3 + 7) == 32 * 3 + (7 ^ 3));
static_assert(tg::swizzle<3, 2, 5>.mask == 0b11100);
static_assert(tg::swizzle<3, 2, 3>.apply(0b10100000) == 0b10110100);

using two_terms = decltype(tg::swizzle<2> ^ tg::swizzle<2, 2, 3>);
using three_terms = decltype(tg::swizzle<2> ^ tg::swizzle<2, 2, 3> ^ tg::swizzle<1, 4, 2>);
static_assert(two_terms::apply(0b1000000) == 0b1001010);
static_assert(three_terms::apply(0b1000000) == 0b1011010);
static_assert(three_terms::mask == 0b11111 && three_terms::read_mask == 0b1100000 && three_terms::period_bits == 7);

TEST_CASE_TEMPLATE("a swizzle permutes its tile and undoes itself", Swizzle, tg::swizzle_t<5>, tg::swizzle_t<3, 2, 3>,
                   tg::swizzle_t<2, 3, 4>, tg::swizzle_t<0>, two_terms, three_terms) {
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
