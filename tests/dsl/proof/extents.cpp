#include <tg/dsl/proof/extents.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

/// The answer about 4 bytes at 4 * thread + `first` of a tile of `size` bytes, in blocks of 16 threads.
tg::finding asked(std::int64_t size, pf::number first, bool by_data = false) {
  tg::ptx::module m;
  m.files.push_back("k.cpp");
  m.variables.push_back({.space = tg::ptx::token::shared, .count = size});
  m.functions.emplace_back().body.resize(1);
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(m.functions[0], {16, 1, 1}, none);
  pf::ledger l(m, {16, 1, 1});
  pf::use u{.where = {true, 0}, .bytes = 4, .writes = true};
  u.offset = pf::add(pf::scaled(v.form_of(tg::ptx::operand::special(tg::ptx::special::tid_x)), 4), pf::constant(first));
  if (by_data) u.offset = pf::add(u.offset, v.fresh(false, 0, 100));
  u.way.must = u.way.may = v.predicates().everyone();
  const pf::tiles tiles(m);
  pf::check_extents(v, l, tiles, none, u);
  const auto all = l.take();
  REQUIRE(all.size() == 1);
  CHECK(all[0].question == tg::question::extents);
  return all[0];
}

}  // namespace

TEST_CASE("an access that keeps to its tile is proved, and one that leaves it has an example") {
  CHECK(asked(64, 0).answer == tg::answer::proved);
  const tg::finding behind = asked(64, 4), before = asked(64, -4);
  CHECK(behind.answer == tg::answer::refuted);
  CHECK(behind.thread == tg::fixed_array<int, 3>{15, 0, 0});
  CHECK(behind.byte == 67);
  CHECK(before.answer == tg::answer::refuted);
  CHECK(before.byte == -4);
}

TEST_CASE("an index from data is not known to keep to its tile") { CHECK(asked(64, 0, true).answer == tg::answer::unknown); }
