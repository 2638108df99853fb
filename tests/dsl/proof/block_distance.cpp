#include <tg/dsl/proof/block_distance.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("what blocks share cancels, and the difference of their numbers is not 0 along the axis") {
  pf::symbols s(32);
  const pf::form x = s.of(tg::ptx::special::ctaid_x);
  const pf::form argument = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 9}));
  pf::use u;
  u.offset = pf::add(pf::scaled(x, 128), argument, 4);
  const auto along_x = pf::block_unknowns(s, u, u, 0), along_y = pf::block_unknowns(s, u, u, 1);
  REQUIRE(along_x.size() == 1);
  CHECK(along_x[0].factor == 128);
  CHECK(along_x[0].low == -along_x[0].high);
  CHECK(along_x[0].is_zero_excluded);
  REQUIRE(along_y.size() == 1);
  CHECK_FALSE(along_y[0].is_zero_excluded);
}

TEST_CASE("what each block has of its own stays on both sides") {
  pf::symbols s(32);
  const pf::form own = pf::single(s.make({.shared = pf::sharing::block, .low = 0, .high = 9}));
  pf::use u;
  u.offset = pf::scaled(own, 4);
  const auto all = pf::block_unknowns(s, u, u, 0);
  REQUIRE(all.size() == 2);
  CHECK(all[0].factor == 4);
  CHECK(all[1].factor == -4);
}

TEST_CASE("a multiple of the grid that joins the number of a block leaves two blocks apart") {
  pf::symbols s(32);
  const pf::form x = s.of(tg::ptx::special::ctaid_x), blocks = s.of(tg::ptx::special::nctaid_x);
  const pf::form turn = pf::single(s.make({.shared = pf::sharing::block, .low = 0, .high = 1000}));
  const auto walked = s.product(turn, blocks);
  REQUIRE(walked.has_value());
  pf::use u;
  u.offset = pf::add(pf::scaled(x, 128), *walked, 128);
  const auto all = pf::block_unknowns(s, u, u, 0);
  REQUIRE(all.size() == 1);
  CHECK(all[0].factor == 128);
  CHECK(all[0].high >= pf::unbounded);
  CHECK(all[0].is_zero_excluded);
}

TEST_CASE("quotients and remainders of a block's number differ, the one or the other") {
  pf::symbols s(32);
  const pf::form x = s.of(tg::ptx::special::ctaid_x), four = pf::constant(4);
  const pf::form quotient = s.computed(pf::operation::quotient, x, four, 0, 1000);
  const pf::form remainder = s.computed(pf::operation::remainder, x, four, 0, 3);
  pf::use u;
  u.offset = pf::add(pf::scaled(quotient, 128), remainder, 4096);
  CHECK(pf::are_numbers_split(s, u, u, 0));
  CHECK_FALSE(pf::are_numbers_split(s, u, u, 1));
  const auto of_quotients = pf::block_unknowns(s, u, u, 0, pf::block_part::quotient);
  REQUIRE(of_quotients.size() == 2);
  for (const auto& one : of_quotients) {
    CHECK(one.is_zero_excluded == (one.factor == 128));
    CHECK(one.high == (one.factor == 128 ? 1000 : 3));
  }
  const auto of_remainders = pf::block_unknowns(s, u, u, 0, pf::block_part::remainder);
  REQUIRE(of_remainders.size() == 1);
  CHECK(of_remainders[0].factor == 4096);
  CHECK(of_remainders[0].is_zero_excluded);
  pf::use other = u;
  other.offset = pf::add(other.offset, x);
  CHECK_FALSE(pf::are_numbers_split(s, u, other, 0));
}

TEST_CASE("quotient and remainder by a number of the launch, of a number that walks by the grid") {
  pf::symbols s(32);
  const pf::form x = s.of(tg::ptx::special::ctaid_x), blocks = s.of(tg::ptx::special::nctaid_x);
  const auto unknown = [&](pf::sharing shared, pf::number low, pf::number high) {
    return pf::single(s.make({.shared = shared, .low = low, .high = high}));
  };
  const pf::form turn = unknown(pf::sharing::thread, 0, 1000), across = unknown(pf::sharing::launch, 1, 50);
  const pf::form walked = pf::add(x, s.computed(pf::operation::product, blocks, turn, 0, 1 << 20));
  const auto place = [&](const pf::form& of, const pf::form& by, const pf::form& of_rest, const pf::form& by_rest) {
    pf::use u;
    u.offset = pf::add(pf::scaled(s.computed(pf::operation::truncated_quotient, of, by, 0, 1 << 20), 128),
                       s.computed(pf::operation::truncated_remainder, of_rest, by_rest, 0, 49), 4096);
    return u;
  };
  const auto is_split = [&](const pf::use& u) { return pf::are_numbers_split(s, u, u, 0); };
  CHECK(is_split(place(x, across, x, across)));
  CHECK(is_split(place(walked, across, walked, across)));
  CHECK_FALSE(pf::are_numbers_split(s, place(walked, across, walked, across), place(x, across, x, across), 0));
  // Traps: two divisors, two numbers, a divisor that may be 0 or that each thread has of its own, a number that skips.
  CHECK_FALSE(is_split(place(x, across, x, pf::constant(7))));
  CHECK_FALSE(is_split(place(x, across, walked, across)));
  const pf::form may_be_zero = unknown(pf::sharing::launch, 0, 50), own = unknown(pf::sharing::thread, 1, 50);
  CHECK_FALSE(is_split(place(x, may_be_zero, x, may_be_zero)));
  CHECK_FALSE(is_split(place(x, own, x, own)));
  const pf::form skips = pf::add(x, turn);
  CHECK_FALSE(is_split(place(skips, across, skips, across)));
}

TEST_CASE("numbers that blocks have drawn differ along the axis of their counter, and no other") {
  pf::symbols s(32);
  pf::use u;
  u.offset = pf::single(s.make_drawn(1), 128);
  const auto along_x = pf::block_unknowns(s, u, u, 0), along_y = pf::block_unknowns(s, u, u, 1);
  REQUIRE(along_x.size() == 1);
  CHECK_FALSE(along_x[0].is_zero_excluded);
  REQUIRE(along_y.size() == 1);
  CHECK(along_y[0].is_zero_excluded);
  CHECK(along_y[0].low == -along_y[0].high);
}
