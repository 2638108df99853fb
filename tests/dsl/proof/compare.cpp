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
