#include <tg/explain/text_table.hpp>

#include <doctest/doctest.h>

TEST_CASE("columns are as wide as their widest cell, numbers stand at the right, nothing stands behind a line") {
  tg::report::text_table own;
  own.row({"name", "count", ""});
  own.row({"a", "1,024", ""});
  own.row({"longer", "7", ""});
  CHECK(own.str() == "  name    count\n  a       1,024\n  longer      7\n");
}
