#include <tg/dsl/proof/reach.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

constexpr auto all = [](std::size_t, std::size_t) { return true; };

/// Thread t of 32 touches 4 bytes at `base` + 4 * t.
pf::use use_at(pf::number base) {
  pf::form::column lanes(32);
  for (std::size_t t = 0; t < 32; ++t) lanes[t] = static_cast<pf::number>(4 * t);
  pf::use u;
  u.offset = pf::add(pf::each(lanes), pf::constant(base));
  u.bytes = 4;
  for (std::size_t t = 0; t < 32; ++t) u.way.may.set(t), u.way.must.set(t);
  pf::lay_out(u);
  return u;
}

}  // namespace

TEST_CASE("what symbols add in their ranges brings two uses together, or does not") {
  pf::symbols s(32);
  pf::reach reach(s, false);
  const pf::form small = pf::single(s.make({.shared = pf::sharing::block, .low = 0, .high = 3}));
  const pf::use here = use_at(0), there = use_at(1024);
  CHECK(reach.is_out_of_reach(here, there, pf::scaled(small, 128), all, true));
  CHECK(reach.is_out_of_reach(here, there, pf::scaled(small, 256), all, true));
  CHECK_FALSE(reach.is_out_of_reach(here, there, pf::scaled(small, 512), all, true));
  CHECK(reach.is_out_of_reach(here, there, pf::scaled(small, -512), all, true));
  const auto nobody = [](std::size_t, std::size_t) { return false; };
  CHECK(reach.is_out_of_reach(here, there, pf::scaled(small, 512), nobody, false));
}

TEST_CASE("blocks are out of reach where each has bytes of its own") {
  pf::symbols s(32);
  pf::reach reach(s, false);
  const pf::form block = s.of(tg::ptx::special::ctaid_x);
  const auto apart = [&](pf::number factor) {
    pf::use u = use_at(0);
    u.offset = pf::add(u.offset, block, factor);
    pf::lay_out(u);
    const bool first = reach.are_blocks_out_of_reach(u, u, 0);
    CHECK(reach.are_blocks_out_of_reach(u, u, 0) == first);  // as it was kept
    return first;
  };
  CHECK(apart(128));
  CHECK_FALSE(apart(64));
  CHECK_FALSE(apart(124));
}

TEST_CASE("a sum without limits is wide, unless it is assumed not to overflow") {
  pf::symbols s(32);
  const pf::form open = pf::single(s.make({.shared = pf::sharing::block}));
  const pf::form limited = pf::single(s.make({.shared = pf::sharing::block, .low = 0, .high = 100}));
  CHECK(pf::reach(s, false).is_wide(open));
  CHECK_FALSE(pf::reach(s, true).is_wide(open));
  CHECK_FALSE(pf::reach(s, false).is_wide(limited));
}
