#include <tg/base/code_info.hpp>

#include <doctest/doctest.h>

TEST_CASE("a row of a table says the number and three sentences") {
  constexpr tg::code_info row{999, "meaning", "cause", "fix"};
  CHECK(row.number == 999);
  CHECK(row.what_to_do == "fix");
}
