#include <tg/emulator/libcuda/graph_rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("the graph functions are rows, each symbol once") {
  const std::vector<rows::row> all = {
#include <tg/emulator/libcuda/graph_rows.hpp>
  };
  CHECK(rows::twice(all).empty());
  CHECK(rows::has(all, {"cuGraphAddKernelNode", "cuGraphAddKernelNode_v2", 12000}));
}
