#include <tg/dsl/proof/encounter.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

/// A way that is taken where the number of the block along x is at most `most`.
pf::path way_of(pf::symbols& s, pf::conditions& c, pf::number most) {
  pf::path way;
  way.must = way.may = c.everyone();
  const pf::form block = s.of(tg::ptx::special::ctaid_x);
  return way.with(c, {c.at_most(pf::add(block, pf::constant(-most))), true, {}});
}

}  // namespace

TEST_CASE("a thread comes by a way if some arguments bring it there") {
  pf::symbols s(32);
  pf::conditions c(s);
  const pf::encounter_search search(s, c);
  CHECK(search.comes(way_of(s, c, 3), 5));
  CHECK(search.comes_any(way_of(s, c, 3)));
  pf::path data;
  data.must = data.may = c.everyone();
  const pf::path by_data = data.with(c, {c.data(true), true, {}});
  CHECK_FALSE(search.comes(by_data, 5));
  CHECK_FALSE(search.comes_any(by_data));
  CHECK(search.can_both_come(data, data, {}, 1, 2).has_value());
  CHECK_FALSE(search.can_both_come(data, by_data, {}, 1, 2).has_value());
  CHECK_FALSE(search.can_both_come(data, data, {{c.data(true), true, {}}}, 1, 2).has_value());
}

TEST_CASE("two threads that touch one byte are found, if they matter") {
  pf::symbols s(32);
  pf::conditions c(s);
  const pf::encounter_search search(s, c);
  pf::form::column lanes(32);
  for (std::size_t t = 0; t < 32; ++t) lanes[t] = static_cast<pf::number>(4 * t);
  pf::use a;
  a.offset = pf::each(lanes);
  a.bytes = 4;
  a.way.must = a.way.may = c.everyone();
  pf::use b = a;
  b.offset = pf::add(b.offset, pf::constant(8));
  const pf::choice chosen(s, c, 7, {});
  pf::encounter out;
  const auto different = [](std::size_t x, std::size_t y) { return x != y; };
  REQUIRE(search.meet_by_choice(a, b, {}, chosen, chosen, different, out));
  CHECK(out.what == pf::encounter::kind::meets);
  CHECK(out.first == out.second + 2);
  CHECK(out.argument == 7);
  CHECK_FALSE(search.meet_by_choice(a, a, {}, chosen, chosen, different, out));
}

TEST_CASE("two uses by one instruction at other places are compared as they are, whatever was kept of one") {
  pf::symbols s(2);
  const pf::conditions c(s);
  const pf::encounter_search search(s, c);
  const auto use_at = [&](pf::number first) {
    pf::use out;
    out.instruction = 3;
    out.offset = pf::add(pf::each({0, 4}), pf::constant(first));
    out.bytes = 4;
    out.way.must = out.way.may = c.everyone();
    return out;
  };
  const pf::choice& chosen = search.chosen_numbers(1);
  const auto meet = [&](pf::number first, pf::number second) {
    pf::encounter found;
    return search.meet_by_choice(use_at(first), use_at(second), {}, chosen, chosen, [](auto, auto) { return true; }, found);
  };
  CHECK(meet(0, 4));
  CHECK_FALSE(meet(0, 8));
  CHECK(meet(8, 8));
  CHECK_FALSE(meet(8, 0));
}
