#include <tg/emulator/codes.hpp>

#include <doctest/doctest.h>

TEST_CASE("codes are in their range, in order, and explained") {
  int last = 399;
  for (const tg::code_info& info : tg::emulator::codes) {
    CHECK_GT(info.number, last);
    CHECK_LT(info.number, 500);
    CHECK_FALSE(info.meaning.empty());
    CHECK_FALSE(info.usual_cause.empty());
    CHECK_FALSE(info.what_to_do.empty());
    last = info.number;
  }
}
