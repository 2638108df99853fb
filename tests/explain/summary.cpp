#include <tg/explain/summary.hpp>

#include <doctest/doctest.h>

#include <tg/explain/to_html.hpp>
#include <tg/explain/to_text.hpp>

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
  REQUIRE(sum.advice.size() == 2);
  CHECK(sum.advice[0] == "a<b>.cpp:11: the store costs 32 sectors, ideal 4; move it.");
  CHECK(sum.advice[1] == "a<b>.cpp:11: the atomic depends on data: 1 to 32 sectors for each warp; count it on the emulator.");
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

TEST_CASE("equal open questions are one, with their number") {
  tg::explanation e = sample::made();
  const tg::finding open = e.findings[1];
  for (int n = 0; n < 15; ++n) e.findings.push_back(open);
  e.findings.push_back({.question = tg::question::extents, .answer = tg::answer::unknown, .where = {"a.cpp", 8}});
  const auto questions = tg::report::open_questions(e);
  REQUIRE(questions.size() == 2);
  CHECK(questions[0].text == open.text());
  CHECK(tg::report::times_text(questions[0]) == " (16 times)");
  CHECK(tg::report::times_text(questions[1]) == "");
  const std::string text = tg::to_text(e), page = tg::to_html(e);
  for (const std::string& made : {text, page}) {
    CHECK(sample::occurrences(made, "i &lt; n is not known") + sample::occurrences(made, "i < n is not known") == 1);
    CHECK(contains(made, "(16 times)"));
  }
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

TEST_CASE("a histogram is not said to waste nothing before its data are known") {
  tg::explanation e = sample::made();
  e.accesses.erase(e.accesses.begin(), e.accesses.begin() + 2);
  tg::explained_access& atomic = e.accesses[0];
  atomic.judged.is_shared = true;
  e.cost.sectors_best = e.cost.ideal_sectors = 1;
  e.cost.instructions = 200;
  e.cost.uncounted_accesses = 16;
  e.cost.wavefronts = 16 * 32, e.cost.data_wavefronts = 16 * 31;
  auto sum = tg::report::summarize(e);
  CHECK(contains(sum.limit, "Data decide which unit is the busiest: "));
  CHECK(contains(sum.limit, "shared memory at worst"));
  CHECK(contains(sum.limit, "16 gathered instructions cost: the kernel takes 16 to 512 wavefronts."));
  REQUIRE(sum.advice.size() == 1);
  CHECK(contains(sum.advice[0], "the atomic depends on data: 1 to 32 wavefronts for each warp"));

  e.counted.emplace();
  atomic.measured = tg::measured_access{.requests = 16, .total = 16};
  CHECK(contains(tg::report::summarize(e).advice[0], "Nothing is wasted"));
  atomic.measured->total = 200;
  sum = tg::report::summarize(e);
  CHECK(contains(sum.advice[0], "the atomic took 200 wavefronts in 16 requests"));
  CHECK_FALSE(contains(sum.limit, "Data decide"));
}
