#include <tg/dsl/proof/circles.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("each use has its own bytes on each circle") {
  pf::symbols s(2);
  const pf::conditions c(s);
  const auto laid_at = [&](pf::number base) {
    pf::use u;
    u.offset = pf::each({base, base + 64});
    u.bytes = 4;
    u.way.must = u.way.may = c.everyone();
    pf::lay_out(u);
    return u.laid;
  };
  const auto low = laid_at(0), high = laid_at(30);
  pf::circles all;
  using ranges = tg::dynamic_array<pf::byte_range>;
  for (int again = 0; again < 2; ++again) {
    CHECK(all.of(low, 64) == ranges{{0, 4}});
    CHECK(all.of(low, 128) == ranges{{0, 4}, {64, 68}});
    CHECK(all.of(high, 64) == ranges{{30, 34}});
    CHECK(all.of(high, 32) == ranges{{0, 2}, {30, 32}});
  }
}
