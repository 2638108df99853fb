#include <tg/dsl/proof/compare.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("threads and blocks that meet, with an example") {
  pf::symbols s(32);
  pf::conditions c(s);
  pf::form::column lanes(32);
  for (std::size_t t = 0; t < 32; ++t) lanes[t] = static_cast<pf::number>(4 * t);
  pf::use a;
  a.offset = pf::each(lanes);
  a.bytes = 4;
  a.writes = true;
  a.way.must = a.way.may = c.everyone();
  pf::use b = a;
  b.offset = pf::add(b.offset, pf::constant(4));
  pf::lay_out(a);
  pf::lay_out(b);
  const pf::comparison compare(s, c);
  const auto nothing = [](std::size_t, std::size_t) { return false; };
  CHECK(compare.in_block(a, a, {}, false, nothing).what == pf::encounter::kind::apart);
  const auto e = compare.in_block(a, b, {}, false, nothing);
  CHECK(e.what == pf::encounter::kind::meets);
  CHECK(e.first == e.second + 1);
  CHECK(compare.in_block(a, b, {}, false, [](auto, auto) { return true; }).what == pf::encounter::kind::apart);
  a.offset = pf::add(a.offset, s.of(tg::ptx::special::ctaid_x), 128);
  CHECK(compare.between_blocks(a, a, 0).what == pf::encounter::kind::apart);
  a.offset = pf::add(a.offset, s.of(tg::ptx::special::ctaid_x), -64);
  CHECK(compare.between_blocks(a, a, 0).what == pf::encounter::kind::meets);
}

TEST_CASE("what is remembered of one pair is not said of another") {
  pf::symbols s(32);
  pf::conditions c(s);
  const pf::form block = s.of(tg::ptx::special::ctaid_x);
  pf::form::column lanes(32);
  for (std::size_t t = 0; t < 32; ++t) lanes[t] = static_cast<pf::number>(4 * t);
  const auto use_at = [&](pf::number base, pf::number factor) {
    pf::use u;
    u.offset = pf::add(pf::add(pf::each(lanes), pf::constant(base)), block, factor);
    u.bytes = 4;
    u.writes = true;
    u.way.must = u.way.may = c.everyone();
    pf::lay_out(u);
    return u;
  };
  const pf::comparison compare(s, c);
  const pf::use here = use_at(0, 256), beside = use_at(128, 256), behind = use_at(256, 256), narrow = use_at(0, 64);
  using kind = pf::encounter::kind;
  for (int again = 0; again < 2; ++again) {
    CHECK(compare.between_blocks(here, beside, 0).what == kind::apart);
    CHECK(compare.between_blocks(here, behind, 0).what == kind::meets);
    CHECK(compare.between_blocks(behind, beside, 0).what == kind::apart);
    CHECK(compare.between_blocks(narrow, narrow, 0).what == kind::meets);
  }
  const pf::form argument = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 100, .is_free = true}));
  pf::use moved = use_at(0, 256);
  moved.offset = pf::add(moved.offset, argument, 256);
  pf::lay_out(moved);
  for (int again = 0; again < 2; ++again) {
    CHECK(compare.in_block(here, beside, {}, true, pf::unordered{}).what == kind::apart);
    CHECK(compare.in_block(beside, moved, {}, true, pf::unordered{}).what == kind::apart);  // 128 past a multiple of 256
    CHECK(compare.in_block(behind, moved, {}, true, pf::unordered{}).what == kind::meets);
    CHECK(compare.in_block(behind, moved, {}, true, [](auto, auto) { return true; }).what == kind::apart);
  }
}
