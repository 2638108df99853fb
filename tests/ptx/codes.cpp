#include <tg/ptx/codes.hpp>

#include <doctest/doctest.h>

TEST_CASE("every code of the IR has a row, in order") {
  int last = 299;
  for (const tg::code_info& info : tg::ptx::codes) {
    CHECK(info.number > last);
    last = info.number;
    CHECK_FALSE(info.meaning.empty());
    CHECK_FALSE(info.usual_cause.empty());
    CHECK_FALSE(info.what_to_do.empty());
  }
  CHECK(last == static_cast<int>(tg::ptx::not_flat));
  CHECK(last < 350);
}
