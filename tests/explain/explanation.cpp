#include <tg/explain/explanation.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

TEST_CASE("what is counted goes to its instruction, its line and its access") {
  tg::explanation e = sample::made();
  e.accesses[1].instructions = {1, 2};
  tg::emulator::counters all;
  for (const std::uint32_t n : {1u, 2u}) {
    auto& c = all.instructions.emplace_back();
    c.function = "sample", c.index = n, c.file = "/nowhere/a<b>.cpp", c.line = 11, c.space = tg::ptx::token::global;
    c.executions = c.requests = 10 * n, c.sectors = 320 * n, c.full_requests = 1;
    c.full_sectors_min = n, c.full_sectors_max = 30 + n;
  }
  all.instructions.emplace_back().function = "another";
  all.instructions.back().index = 1, all.instructions.back().executions = 5;
  e.measured(all);
  CHECK(*e.ptx[2].executions == 10);
  CHECK_FALSE(e.ptx[1].executions.has_value());
  CHECK(e.accesses[1].measured->requests == 30);
  CHECK(e.accesses[1].measured->total == 960);
  CHECK(e.accesses[1].measured->least == 1);
  CHECK(e.accesses[1].measured->most == 32);
  CHECK(e.accesses[0].measured->requests == 0);
  CHECK(e.lines[2].measured->sectors == 960);
  CHECK_FALSE(e.lines[0].measured.has_value());
  CHECK(e.ran.sectors_best == 960);
  CHECK(e.ran.instructions == 30);
  CHECK(e.lines[2].share == doctest::Approx(1));
  CHECK(e.lines[0].share == 0);
  CHECK(e.cycles()[tg::machine_unit::issue] == doctest::Approx(7.5));
  CHECK(e.intensity() == 0);
}

TEST_CASE("the dearest lines come first") {
  const tg::explanation e = sample::made();
  const auto lines = e.dearest_lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]->where.line == 11);
  CHECK(e.bad_accesses() == 1);
  CHECK(e.count(tg::answer::unknown) == 1);
}
