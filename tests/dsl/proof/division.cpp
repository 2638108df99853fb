#include <tg/dsl/proof/division.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("one comes and one stays, in a block or in a warp") {
  const tg::ptx::function f;
  const std::vector<pf::parameter_fact> none;
  pf::values v(f, {64, 1, 1}, none);
  pf::path way;
  way.must = way.may = v.predicates().everyone();
  CHECK(pf::divided(v, way, 64).what == pf::division::kind::none);
  const pf::path half = way.with(v.predicates(), {v.predicates().known(pf::first_threads(32)), true, {0, 7}});
  const auto d = pf::divided(v, half, 64);
  CHECK(d.what == pf::division::kind::found);
  CHECK(d.comes == 31);
  CHECK(d.stays == 63);
  CHECK(d.branch.line == 7);
  CHECK(pf::divided(v, half, 32).what == pf::division::kind::none);
  const pf::path on_data = way.with(v.predicates(), {v.predicates().data(false)});
  CHECK(pf::divided(v, on_data, 64).what == pf::division::kind::unknown);
}
