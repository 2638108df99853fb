#include <tg/array/codes.hpp>

#include <doctest/doctest.h>

#include <tg/base/code.hpp>

TEST_CASE("codes of arrays are 700 to 799, in order") {
  int last = 699;
  for (const auto& info : tg::array_codes) {
    CHECK(info.number > last);
    CHECK(info.number < 800);
    last = info.number;
  }
}
