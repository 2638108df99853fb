#include <tg/dsl/proof/overlap.hpp>

#include <doctest/doctest.h>

#include <random>

namespace pf = tg::proof;

TEST_CASE("pairs that share a byte") {
  const auto a = pf::sorted_places({0, 4, 8}, {0, 1, 2}), b = pf::sorted_places({9, 20, 3}, {0, 1, 2});
  tg::dynamic_array<pf::number> found;
  CHECK_FALSE(pf::each_overlap(a, 4, b, 4, [&](auto s, auto t, auto at) {
    for (const pf::number n : {pf::number(s), pf::number(t), pf::number(at)}) found.push_back(n);
    return false;
  }));
  CHECK(found == tg::dynamic_array<pf::number>{0, 2, 3, 1, 2, 4, 2, 0, 9});
}

TEST_CASE("on a circle the end meets the beginning") {
  const auto a = pf::sorted_places({62}, {0}, 64), b = pf::sorted_places({0, 128}, {1}, 64);
  const auto yes = [](auto, auto, auto) { return true; };
  CHECK(pf::each_overlap_on_circle(a, 4, b, 4, 64, yes));
  CHECK_FALSE(pf::each_overlap_on_circle(a, 2, b, 4, 64, yes));
}

TEST_CASE("sums of unknowns reach a range or do not") {
  const pf::unknown_number block{1024, -10, 10, true}, lane{4, 0, 255, false};
  const pf::unknown_number both[] = {block, lane};
  CHECK_FALSE(pf::can_reach(both, 2, -3, 3));
  CHECK(pf::can_reach(both, 2, -4, 3));
  CHECK_FALSE(pf::can_reach(&block, 1, -1020, 1020));
  CHECK(pf::can_reach(&block, 1, -1020, 1024));
  CHECK_FALSE(pf::can_reach(&lane, 1, 1, 3));
  const pf::unknown_number open{256};
  CHECK(pf::can_reach(&open, 1, 1, 256));
  CHECK_FALSE(pf::can_reach(&open, 1, 1, 255));
}

TEST_CASE("rows and what is left of them") {
  const auto x = pf::split(3 * 1000 - 7, 1000), y = pf::split(-1000 + 7, 1000);
  CHECK(x.row == 3);
  CHECK(x.rest == -7);
  CHECK(y.row == -1);
  CHECK(y.rest == 7);
}

TEST_CASE("ranges of bytes are joined where they touch") {
  const auto places = pf::sorted_places({12, 0, 4, 20, 4}, {0, 1, 2, 3, 4});
  const tg::dynamic_array<pf::byte_range> joined = {{0, 8}, {12, 16}, {20, 24}}, all = {{0, 28}};
  CHECK(pf::ranges_of(places, 4) == joined);
  CHECK(pf::ranges_of(places, 8) == all);
  CHECK(pf::ranges_of({}, 4).empty());
  const tg::dynamic_array<pf::byte_range> around = {{0, 4}, {12, 16}, {20, 22}}, circle = {{0, 22}};
  CHECK(pf::on_circle({{12, 16}, {20, 26}}, 22) == around);
  CHECK(pf::on_circle({{-30, -8}}, 22) == circle);
}

TEST_CASE("ranges say what pairs of places say") {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<pf::number>(random() % static_cast<unsigned>(n)); };
  int apart = 0;
  for (int round = 0; round < 3000; ++round) {
    const pf::number a_bytes = 1 + below(6), b_bytes = 1 + below(6), modulus = a_bytes + b_bytes + below(60);
    const auto places = [&](pf::number from) {
      pf::form::column starts(static_cast<std::size_t>(1 + below(4)));
      tg::dynamic_array<std::uint32_t> who;
      for (pf::number& n : starts) n = from + below(30), who.push_back(static_cast<std::uint32_t>(who.size()));
      return std::pair(starts, who);
    };
    const auto [a, a_who] = places(-20);
    const auto [b, b_who] = places(below(40) - 20);
    const auto yes = [](auto, auto, auto) { return true; };
    const auto first = pf::sorted_places(a, a_who), second = pf::sorted_places(b, b_who);
    const auto mine = pf::ranges_of(first, a_bytes), yours = pf::ranges_of(second, b_bytes);
    CHECK(pf::share_a_byte(mine, yours) == pf::each_overlap(first, a_bytes, second, b_bytes, yes));
    const bool is_common = pf::share_a_byte(pf::on_circle(mine, modulus), pf::on_circle(yours, modulus));
    CHECK(is_common == pf::each_overlap_on_circle(pf::sorted_places(a, a_who, modulus), a_bytes,
                                                  pf::sorted_places(b, b_who, modulus), b_bytes, modulus, yes));
    apart += !is_common;
  }
  CHECK(apart > 100);
  CHECK(apart < 2900);
}
