#include <tg/emulator/check/report.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/lanes/vector_unit.hpp>

#include "../runner.hpp"

TEST_CASE("numbers and places in reports") {
  CHECK_EQ(tg::emulator::hex(0), "0x0");
  CHECK_EQ(tg::emulator::hex(0x10001000), "0x10001000");
  CHECK_EQ(tg::emulator::triple({1, 2, 3}), "(1, 2, 3)");
}

TEST_CASE("the nearest allocation is told with its distance") {
  using namespace tg::emulator;
  memory device(std::size_t{1} << 20);
  const auto p = program::load(runner::kernel_text(""), device);
  const launch_shape shape;
  const options how;
  const lane_code lanes = find_lane_code();
  const std::string none = nearest_allocation(machine(device, *p, 0, shape, how, lanes), 16, 4);
  CHECK_EQ(none, "there is no allocation");
  const std::uint64_t a = device.allocate(100), b = device.allocate(50);
  const machine m(device, *p, 0, shape, how, lanes);
  CHECK(runner::has(nearest_allocation(m, a - 8, 4), "8 bytes before the nearest allocation"));
  CHECK(runner::has(nearest_allocation(m, a + 112, 4), "12 bytes after the nearest allocation"));
  CHECK(runner::has(nearest_allocation(m, b - 4, 4), "4 bytes before the nearest allocation"));
  CHECK(runner::has(nearest_allocation(m, a + 98, 4), "the last 2 of its bytes are after the nearest allocation"));
}
