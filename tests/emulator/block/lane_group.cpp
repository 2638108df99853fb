#include <tg/emulator/block/lane_group.hpp>

#include <doctest/doctest.h>

TEST_CASE("fresh state says that nobody waits and nobody runs") {
  const tg::emulator::warp_part part;
  CHECK(part.waits == tg::emulator::wait_reason::none);
  const tg::emulator::barrier_state barrier;
  CHECK_FALSE(barrier.is_used);
  CHECK(barrier.expected == 0);
  CHECK(barrier.arrived[31] == 0);
  const tg::emulator::lane_group group{};
  CHECK(group.run_count == 0);
  CHECK(group.range_count == 0);
  CHECK(group.lanes.back() == 0);
}
