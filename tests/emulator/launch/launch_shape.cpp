#include <tg/emulator/launch/launch_shape.hpp>

#include <doctest/doctest.h>

TEST_CASE("extents multiply without overflow") {
  const tg::emulator::launch_shape shape{{1u << 20, 1u << 16, 4}, {32, 2, 2}, 0};
  CHECK_EQ(shape.grid.count(), std::uint64_t{1} << 38);
  CHECK_EQ(shape.block.count(), 128);
}
