#include <tg/explain/summary.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

using sample::contains;

TEST_CASE("the summary names the limit, the dearest lines, the verdicts and what to do") {
  const auto sum = tg::report::summarize(sample::made());
  CHECK(contains(sum.limit, "The busiest unit: global memory, "));
  CHECK(contains(sum.limit, "operations per byte"));
  CHECK(contains(sum.limit, "36 sectors where its bytes fill 8"));
  REQUIRE(sum.dearest.size() == 2);
  CHECK(sum.dearest[0].place == "a<b>.cpp:11");
  CHECK(sum.dearest[0].share == "80 %");
  CHECK(sum.dearest[0].code == "store(\"x\");");
  CHECK(contains(sum.verdicts, "1 of 3 memory accesses are proved good, 1 are excused, 1 depend on data"));
  CHECK(contains(sum.verdicts, "1 proved, 0 refuted, 1 unknown"));
  REQUIRE(sum.advice.size() == 1);
  CHECK(sum.advice[0] == "a<b>.cpp:11: the store costs 32 sectors, ideal 4; move it.");
}

TEST_CASE("what an access costs tells the worst warp from all, where they differ") {
  tg::explained_access a = sample::made().accesses[0];
  CHECK(tg::report::cost_text(a) == "4 sectors, ideal 4");
  a.block_total = 6;
  CHECK(tg::report::cost_text(a) == "4 sectors, ideal 4 in the worst warp, 6 in all of a block");
}

TEST_CASE("a kernel without faults is told so, and one with faults what they are") {
  tg::explanation e = sample::made();
  e.accesses.resize(1);
  CHECK(contains(tg::report::summarize(e).advice[0], "Nothing is wasted"));
  e.spills = true;
  e.redundant_barriers = {{"a.cpp", 3}};
  e.occupancy.warps = 8;
  e.findings.push_back({.question = tg::question::shared_race,
                        .answer = tg::answer::refuted,
                        .where = {"a.cpp", 4},
                        .fact = "two meet",
                        .fix = "let them wait"});
  const auto advice = tg::report::summarize(e).advice;
  REQUIRE(advice.size() == 4);
  CHECK(advice[0] == "a.cpp:4: two meet; let them wait.");
  CHECK(contains(advice[1], "a.cpp:3: the barrier separates nothing"));
  CHECK(contains(advice[2], "spilled"));
  CHECK(contains(advice[3], "8 of 64 warps"));
}

TEST_CASE("each unit can be what limits") {
  tg::explanation e = sample::made();
  e.cost.wavefronts = 100000, e.cost.ideal_wavefronts = 100;
  CHECK(contains(tg::report::summarize(e).limit, "100,000 wavefronts where 100 would do"));
  e.cost.instructions = 10000000;
  CHECK(contains(tg::report::summarize(e).limit, "The busiest unit: instruction issue, "));
  e.matrix_type = tg::ptx::token::f16;
  e.cost.multiply_adds = 1000000000000;
  CHECK(contains(tg::report::summarize(e).limit, "The busiest unit: tensor cores, "));
  e.cost.uncounted_loops = {{"a.cpp", 3}};
  CHECK(contains(tg::report::summarize(e).limit, "one turn"));
  e.cost = {};
  CHECK(tg::report::summarize(e).limit == "The kernel does nothing.");
}
