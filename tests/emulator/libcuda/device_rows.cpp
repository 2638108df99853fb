#include <tg/emulator/libcuda/device_rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("the device functions are rows, each symbol once") {
  const std::vector<rows::row> all = {
#include <tg/emulator/libcuda/device_rows.hpp>
  };
  CHECK(rows::twice(all).empty());
  CHECK(rows::has(all, {"cuCtxCreate", "cuCtxCreate_v4", 12050}));
}
