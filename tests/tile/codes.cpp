#include <tg/tile/codes.hpp>

#include <doctest/doctest.h>

#include <tg/base/code.hpp>

TEST_CASE("codes of tiles are 600 to 699, in order") {
  int last = 599;
  for (const auto& info : tg::tile_codes) {
    CHECK(info.number > last);
    CHECK(info.number < 700);
    last = info.number;
  }
}
