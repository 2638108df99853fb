#include <tg/emulator/block/machine.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/lanes/vector_unit.hpp>

#include "../runner.hpp"

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

TEST_CASE("shared memory that the system keeps for itself lies behind the kernel's own, for kernels that ask") {
  const std::string text = runner::kernel_text(
      ".shared .b32 own[5]; mov.u32 %r0, %reserved_smem_offset_begin; mov.u32 %r1, %reserved_smem_offset_1; "
      "mov.u32 %r2, %reserved_smem_offset_end; st.shared.u32 [own], %r0; st.shared.u32 [%r1], %r2; "
      "st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r2};");
  runner::bench b(text);
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(4));
  b.run({{1}, {1}, 8}, {out});
  const auto got = b.download<std::uint32_t>(out, 4);
  CHECK_EQ(got[0], 48);  // 20 bytes of its own, rounded up, and 8 dynamic ones, rounded up
  CHECK_EQ(got[1], 48 + 512);
  CHECK_EQ(got[2], 48 + 1024);
}
