#include <tg/explain/text_page.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

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
