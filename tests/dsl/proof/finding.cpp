#include <tg/dsl/proof/finding.hpp>

#include <doctest/doctest.h>

TEST_CASE("an answer names both lines and what to do") {
  tg::finding f{.answer = tg::answer::refuted,
                .where = {"a/sum.cpp", 31},
                .other = {"a/sum.cpp", 28},
                .fact = "two threads meet",
                .fix = "part them"};
  CHECK(f.text() == "shared race refuted: two threads meet (sum.cpp:31 and sum.cpp:28); part them");
  f.answer = tg::answer::proved;
  f.fact.clear();
  f.other = {};
  CHECK(f.text() == "shared race proved (sum.cpp:31)");
  CHECK(tg::code_of(tg::question::extents) == tg::code{235});
}

TEST_CASE("what a proof takes for granted stands in its text") {
  tg::finding f{.answer = tg::answer::proved, .where = {"a/sum.cpp", 31}};
  f.assumed.set_one_block(1);
  f.assumed.no_overflow = true;
  CHECK(f.text() == "shared race proved, assuming one block along y; no sum of indices exceeds its type (sum.cpp:31)");
  tg::assumptions other;
  CHECK_FALSE(other.any());
  other.set_one_block(2);
  other.columns_in_rows = true;
  other |= f.assumed;
  CHECK(other.text() == "one block along y and z; no sum of indices exceeds its type; columns lie in their rows");
}
