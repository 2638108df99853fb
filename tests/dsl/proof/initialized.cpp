#include <tg/dsl/proof/initialized.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("bytes are written, perhaps written, or not") {
  pf::symbols s(4);
  pf::conditions c(s);
  pf::path way;
  way.must = way.may = c.everyone();
  tg::dynamic_array<pf::use> uses(1);
  uses[0].offset = pf::each({0, 4, 8, 12});
  uses[0].bytes = 4;
  uses[0].way = way;
  uses[0].way.must.reset(3);
  pf::written_bytes tile(20);
  using kind = pf::written_bytes::state::kind;
  CHECK(tile.read(uses[0], uses, c, s).what == kind::unwritten);
  tile.write(uses, 0);
  pf::use read = uses[0];
  read.offset = pf::each({0, 4, 8, 8});
  CHECK(tile.read(read, uses, c, s).what == kind::written);
  read.offset = pf::each({0, 4, 8, 16});
  const auto state = tile.read(read, uses, c, s);
  CHECK(state.what == kind::unwritten);
  CHECK(state.thread == 3);
  CHECK(state.byte == 16);
}

TEST_CASE("a thread that wrote what it reads says nothing of the next") {
  pf::symbols s(2);
  pf::conditions c(s);
  const std::uint32_t own = c.data(false);
  pf::path way;
  way.must = way.may = c.everyone();
  tg::dynamic_array<pf::use> uses(1);
  uses[0].offset = pf::each({0, 4});
  uses[0].bytes = 4;
  uses[0].way = way.with(c, {own, true, {}});
  pf::written_bytes tile(8);
  tile.write(uses, 0);
  pf::use read = uses[0];
  using kind = pf::written_bytes::state::kind;
  CHECK(tile.read(read, uses, c, s).what == kind::written);
  read.offset = pf::constant(0);
  const auto state = tile.read(read, uses, c, s);
  CHECK(state.what == kind::unknown);
  CHECK(state.thread == 1);
}
