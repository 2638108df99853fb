#include <tg/emulator/block/block.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/lanes/vector_unit.hpp>

#include "../runner.hpp"

TEST_CASE("a block starts with all its threads at the entry and its memory zero") {
  using namespace tg::emulator;
  memory device(std::size_t{1} << 20);
  const auto p = program::load(runner::kernel_text(".shared .align 4 .b32 tile[8]; st.shared.u32 [tile], 1;"), device);
  const launch_shape shape{{3, 2}, {10, 4}, 16};
  const options how;
  const lane_code lanes = find_lane_code();
  const machine m(device, *p, 0, shape, how, lanes);
  block b(m);
  b.start(4);
  CHECK_EQ(b.at, tg::fixed_array<std::uint32_t, 3>{1, 1, 0});
  CHECK(b.lives());
  b.place_warps();
  CHECK_EQ(b.warps.size(), 2);
  CHECK_EQ(b.warps[0].live, 0xffffffff);
  CHECK_EQ(b.warps[1].live, 0xff);
  CHECK_EQ(b.thread(25), tg::fixed_array<std::uint32_t, 3>{5, 2, 0});
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(b.frame()) % 64, 0);
  CHECK_EQ(m.shared_bytes, 48);
  b.shared[0] = std::byte{1};
  b.start(5);
  CHECK_EQ(b.shared[0], std::byte{0});
  b.end();
  CHECK_FALSE(b.lives());
}

TEST_CASE("blocks that run as one know which is whose") {
  using namespace tg::emulator;
  memory device(std::size_t{1} << 20);
  const auto p = program::load(runner::kernel_text(".shared .align 4 .b32 tile[8]; st.shared.u32 [tile], 1;"), device);
  const launch_shape shape{{5, 2}, {64}};
  const options how;
  const lane_code lanes = find_lane_code();
  machine m(device, *p, 0, shape, how, lanes);
  m.abreast = 4;
  CHECK_EQ(m.starts(), 4);
  block b(m);
  b.start(5, 4);
  CHECK_EQ(b.warp_count, 8);
  CHECK_EQ(b.number_of(7), 8);
  CHECK_EQ(b.at_of(7), tg::fixed_array<std::uint32_t, 3>{3, 1, 0});
  CHECK_EQ(b.at_of(1), tg::fixed_array<std::uint32_t, 3>{0, 1, 0});
  CHECK_EQ(b.thread(3 * 64 + 33), tg::fixed_array<std::uint32_t, 3>{33, 0, 0});
  CHECK_EQ(b.shared_of(2) - b.shared_of(1), 64);
  CHECK_EQ(b.shared_of(3), b.shared_of(2));
  b.shared_of(7)[0] = std::byte{1};
  b.start(9, 1);
  CHECK_EQ(b.warp_count, 2);
  CHECK_EQ(b.at_of(0), tg::fixed_array<std::uint32_t, 3>{4, 1, 0});
}
