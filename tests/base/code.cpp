#include <tg/base/code.hpp>

#include <doctest/doctest.h>

static_assert(static_cast<int>(tg::code{204}) == 204 && tg::code{204} != tg::code{205});

TEST_CASE("a row of a table says the number and three sentences") {
  constexpr tg::code_info row{999, "meaning", "cause", "fix"};
  CHECK(row.number == 999);
  CHECK(row.what_to_do == "fix");
}
