#include <tg/runtime/codes.hpp>

#include <doctest/doctest.h>

TEST_CASE("every code of the runtime has a row, in order") {
  int last = 519;
  for (const tg::code_info& info : tg::runtime::codes) {
    CHECK(info.number > last);
    last = info.number;
    CHECK_FALSE(info.meaning.empty());
    CHECK_FALSE(info.usual_cause.empty());
    CHECK_FALSE(info.what_to_do.empty());
  }
  CHECK(last < 590);
}
