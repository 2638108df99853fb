#include <tg/explain/to_text.hpp>

#include <doctest/doctest.h>

#include <tg/explain/to_text.inl>

#include "sample.hpp"

using sample::contains;

TEST_CASE("the text says what the page says") {
  const std::string text = tg::to_text(sample::made());
  CHECK(text.starts_with("sample on H100 (sm_90), 1 block of 64 threads\n"));
  CHECK(contains(text, "The busiest unit: global memory, "));
  CHECK(contains(text, "a<b>.cpp:11: the store costs 32 sectors, ideal 4; move it."));
  CHECK(contains(text, "a<b>.cpp:7  load, 4 bytes per lane: proved good; 4 sectors, ideal 4\n"));
  CHECK(contains(text, "Registers: 5 hold a value at the dearest place, ptxas is expected to take 10\n"));
  CHECK(contains(text, "Not proved: extents unknown: i < n is not known"));
  CHECK_FALSE(contains(text, "Counted"));
}

TEST_CASE("what was counted is said too") {
  tg::explanation e = sample::made();
  tg::emulator::counters all;
  all.instructions.resize(1);
  auto& c = all.instructions[0];
  c.function = "sample", c.file = "/nowhere/a<b>.cpp", c.line = 7, c.executions = c.requests = c.full_requests = 9;
  c.sectors = 36, c.full_sectors_min = c.full_sectors_max = 4;
  CHECK(contains(tg::to_text(e.measured(all)), "Counted: 4 sectors per request of a full warp; 36 sectors in 9 requests."));
}

TEST_CASE("columns are as wide as their cells, numbers at the right") {
  tg::report::text_table out;
  out.row({"name", "n", "what"});
  out.row({"a", "1,234", "x"});
  out.row({"b", "7", "long"});
  CHECK(out.str() == "  name  n      what\n  a     1,234  x\n  b         7  long\n");
}

TEST_CASE("the table of lines has the used ones") {
  const std::string text = tg::report::text_of_lines(sample::made());
  CHECK(sample::occurrences(text, "\n") == 3);
  CHECK(sample::contains(text, "80 %"));
  CHECK(sample::contains(text, "a<b>.cpp:11  store(\"x\");"));
}

TEST_CASE("an access has a line, and one more for each thing there is to say") {
  const std::string text = tg::report::text_of_accesses(sample::made());
  CHECK(sample::occurrences(text, "\n") == 5);
  CHECK(sample::contains(text, "      Excused: a & b.\n      To mend it: move it.\n"));
}
