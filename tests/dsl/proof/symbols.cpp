#include <tg/dsl/proof/symbols.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("what is computed of the same unknowns is the same unknown") {
  pf::symbols s(4);
  const pf::form block = s.of(tg::ptx::special::ctaid_x), count = s.of(tg::ptx::special::nctaid_x);
  CHECK(s.of(tg::ptx::special::ctaid_x) == block);
  const auto a = s.product(block, count), b = s.product(count, block);
  REQUIRE(a.has_value());
  CHECK(*a == *b);
  CHECK(s.shared(*a) == pf::sharing::block);
  CHECK(s.shared(count) == pf::sharing::launch);
  CHECK(s.low(*a) == 0);
  CHECK_FALSE(s.product(pf::each({0, 1, 2, 3}), block).has_value());
  CHECK(s.product(pf::add(block, pf::constant(1)), pf::constant(4)) == pf::add(pf::scaled(block, 4), pf::constant(4)));
}

TEST_CASE("limits that are not known stay unknown") {
  CHECK(pf::symbols::times(-2, pf::unbounded) == -pf::unbounded);
  CHECK(pf::symbols::times(3, 5) == 15);
  pf::symbols s(1);
  const auto id = s.make({.low = -1, .high = 4});
  CHECK(s.high(pf::single(id, -3)) == 3);
  CHECK(s.low(pf::single(id, -3)) == -12);
}
