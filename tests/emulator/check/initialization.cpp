#include <tg/emulator/check/initialization.hpp>

#include "planted.hpp"

using planted::launch_shape;

namespace { const tg::dynamic_array<int> steps{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }  // namespace

TEST_CASE("reads of memory that nothing wrote are found, their clean twins are silent") {
  const launch_shape one{{1}, {32}};
  planted::check(
      "initialization",
      {
          {"copy",
           one,
           "TG413",
           "out[threadIdx.x] = in[threadIdx.x]",
           {"Uninitialized __global__ memory read of size 4 bytes", "thread (0, 0, 0)", "in copy", "nearest allocation"},
           {},
           0},
          {"copy", one, "TG413", "", {"thread (25, 0, 0)"}, {}, 100},
          {"copy", one, "TG413", "", {"thread (24, 0, 0)", "reads byte 2 of the access"}, {}, 98},
          {"copy", one, "", "", {}, {}, 128},
          {"copy4", one, "TG413", "", {"read of size 16 bytes", "thread (31, 0, 0)", "reads byte 12"}, {}, 508},
          {"copy4", one, "", "", {}, {}, 512},
          {"add", one, "TG413", "", {"thread (30, 0, 0)"}, {}, 120},
          {"add", one, "", "", {}, {}, 128},
          {"shared_tile",
           one,
           "TG413",
           "t[threadIdx.x + 1]",
           {"Uninitialized __shared__ memory read of size 4 bytes", "thread (31, 0, 0)", "128 bytes inside"}},
          {"shared_tile_right", one},
          {"dynamic_tile", {{1}, {32}, 128}, "TG413", "d[threadIdx.x]", {"__shared__", "thread (0, 0, 0)"}},
          {"dynamic_tile_right", {{2}, {32}, 128}},
          {"stack", one, "TG413", "a[in[threadIdx.x] & 15]", {"__local__", "thread (8, 0, 0)"}, steps},
          {"stack_right", one, "", "", {}, steps},
          {"variables_right", {{1}, {8}}},
      });
}
