#include <tg/emulator/driver_table/occupancy.hpp>

#include "session.hpp"

using session::result;
using namespace tg::emulator::entry;

TEST_CASE("the best block size has the most threads, with shared memory that grows with the block too") {
  const session::context c;
  const session::module m;
  int grid = 0, block = 0;
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, m.find("add"), nullptr, 0, 0) == result::success);
  CHECK(block == 1024);
  CHECK(grid % 2 == 0);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, m.find("add"), nullptr, 0, 100) == result::success);
  CHECK(block == 64);  // 32 of them
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, m.find("put"), nullptr, 0, 0) == result::success);
  CHECK(block == 256);  // .maxntid
  const auto growing = [](int threads) { return static_cast<std::size_t>(threads) * 200; };
  CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, m.find("add"), growing, 0, 0, 0) == result::success);
  CHECK(block < 1024);
  CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, m.find("add"), growing, 0, 0, 2) == result::invalid_value);
}

TEST_CASE("blocks that share a multiprocessor share its memory, clusters its blocks") {
  const session::context c;
  const session::module m;
  std::size_t bytes = 0;
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, m.find("add"), 2, 256) == result::success);
  CHECK(bytes == (114 - 1) * 1024);
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, m.find("add"), 33, 256) == result::invalid_value);
  tg::driver::launch_attribute pair{tg::driver::launch_attribute_id::cluster_dimension, {}, {}};
  pair.value.extent = {2, 1, 1};
  tg::driver::launch_config config{8, 1, 1, 1024, 1, 1, 0, nullptr, &pair, 1};
  int pairs = 0, singles = 0, most = 0;
  CHECK(cuOccupancyMaxActiveClusters(&pairs, m.find("add"), &config) == result::success);
  config.attribute_count = 0;
  CHECK(cuOccupancyMaxActiveClusters(&singles, m.find("add"), &config) == result::success);
  CHECK(singles == 2 * pairs);
  CHECK(cuOccupancyMaxPotentialClusterSize(&most, m.find("add"), &config) == result::success);
  CHECK(most == 8);
}
