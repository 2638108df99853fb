#include <tg/emulator/block.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/vector_unit.hpp>

#include "runner.hpp"

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
  CHECK_EQ(b.at, std::array<std::uint32_t, 3>{1, 1, 0});
  CHECK_EQ(b.warps.size(), 2);
  CHECK_EQ(b.warps[0].live, 0xffffffff);
  CHECK_EQ(b.warps[1].live, 0xff);
  CHECK_EQ(b.thread(25), std::array<std::uint32_t, 3>{5, 2, 0});
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(b.frame()) % 64, 0);
  CHECK_EQ(m.shared_bytes, 48);
  b.shared[0] = std::byte{1};
  b.start(5);
  CHECK_EQ(b.shared[0], std::byte{0});
}
