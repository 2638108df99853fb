#include <tg/emulator/async/lanes_of_use.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("an address in 32 bits wraps around with its offset, and only active lanes take part") {
  using namespace runner;
  bench b(kernel_text(".shared .align 16 .b32 tile[32]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; "
                      "add.u32 %r2, %r2, %r1;"
                      "mul.wide.u32 %rd4, %r0, 4; add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4; and.b32 %r3, %r0, 1; "
                      "setp.eq.u32 %p0, %r3, 0;"
                      "sub.u32 %r4, %r2, 400; @%p0 cp.async.ca.shared.global [%r4+400], [%rd5], 4; cp.async.wait_all;"
                      "ld.shared.u32 %r5, [%r2]; st.global.u32 [%rd6], %r5;"));
  const std::uint64_t in = b.upload(std::vector<std::uint32_t>(32, 9)), out = b.upload(std::vector<std::uint32_t>(32));
  b.run({{1}, {32}}, {in, out});
  const auto got = b.download<std::uint32_t>(out, 32);
  for (std::uint32_t k = 0; k < 32; ++k) CHECK_EQ(got[k], k % 2 == 0 ? 9 : 0);
}
