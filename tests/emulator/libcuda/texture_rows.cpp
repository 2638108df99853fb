#include <tg/emulator/libcuda/texture_rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("the texture functions are rows, each symbol once") {
  const std::vector<rows::row> all = {
#include <tg/emulator/libcuda/texture_rows.hpp>
  };
  CHECK(rows::twice(all).empty());
  CHECK(rows::has(all, {"cuTexObjectCreate", "cuTexObjectCreate", 5000}));
}
