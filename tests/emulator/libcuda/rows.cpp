#include <tg/emulator/libcuda/rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("no two rows export one symbol, and a repeated one is found") {
  std::vector<rows::row> all = {
#include <tg/emulator/libcuda/rows.hpp>
  };
  CHECK(all.size() > 600);
  CHECK(rows::twice(all).empty());
  all.push_back(all.front());
  CHECK(rows::twice(all) == std::vector{all.front().symbol});
}
