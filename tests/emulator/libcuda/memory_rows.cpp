#include <tg/emulator/libcuda/memory_rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("the memory functions are rows, each symbol once") {
  const std::vector<rows::row> all = {
#include <tg/emulator/libcuda/memory_rows.hpp>
  };
  CHECK(rows::twice(all).empty());
  CHECK(rows::has(all, {"cuMemcpyHtoD", "cuMemcpyHtoD_v2_ptds", 7000}));
}
