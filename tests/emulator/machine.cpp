#include <tg/emulator/machine.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/vector_unit.hpp>

#include "runner.hpp"

TEST_CASE("the last warp has the lanes that are left") {
  using namespace tg::emulator;
  memory device(std::size_t{1} << 20);
  const auto p = program::load(runner::kernel_text(""), device);
  const options how;
  const lane_code lanes = find_lane_code();
  const launch_shape shape{{1}, {33, 2}, 0};
  const machine m(device, *p, 0, shape, how, lanes);
  CHECK_EQ(m.warps, 3);
  CHECK_EQ(m.lanes_of(1), 0xffffffff);
  CHECK_EQ(m.lanes_of(2), 3);
}
