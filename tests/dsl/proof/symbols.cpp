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

TEST_CASE("operations on numbers, and those without a result") {
  using pf::operation;
  CHECK(pf::compute(operation::quotient, -1, 2) == -1);
  CHECK(pf::compute(operation::truncated_quotient, -1, 2) == 0);
  CHECK(pf::compute(operation::remainder, -1, 8) == 7);
  CHECK(pf::compute(operation::truncated_remainder, -1, 8) == -1);
  CHECK(pf::compute(operation::low_bits, 0x1ff, 8) == 0xff);
  CHECK(pf::compute(operation::signed_bits, 0x1ff, 8) == -1);
  CHECK_FALSE(pf::compute(operation::product, pf::number{1} << 40, pf::number{1} << 40).has_value());
  CHECK_FALSE(pf::compute(operation::quotient, 1, 0).has_value());
}

TEST_CASE("a symbol that equals a sum is replaced by it, inside others too") {
  pf::symbols s(1);
  const auto n = pf::single(s.make({.low = 0, .high = 1000}));
  const auto turns = s.computed(pf::operation::quotient, n, pf::constant(256), 0, 3);
  const auto low = s.computed(pf::operation::low_bits, n, pf::constant(8), 0, 255, pf::add(n, turns, -256));
  CHECK(s.expanded(pf::add(pf::scaled(low, 4), pf::constant(1))) ==
        pf::add(pf::add(pf::scaled(n, 4), turns, -1024), pf::constant(1)));
  CHECK(s.expanded(n) == n);
}
