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
