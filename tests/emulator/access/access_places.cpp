#include <tg/emulator/access/access_places.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using namespace runner;

TEST_CASE("lanes of one access may use several allocations") {
  bench b(kernel_text("mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; selp.b64 %rd4, %rd0, %rd1, %p1; "
                      "mul.wide.u32 %rd5, %r0, 4; add.u64 %rd4, %rd4, %rd5; ld.global.u32 %r2, [%rd4]; add.u64 %rd6, %rd2, "
                      "%rd5; st.global.u32 [%rd6], %r2;"));
  const std::uint64_t x = b.upload(std::vector<std::uint32_t>(32, 3)), y = b.upload(std::vector<std::uint32_t>(32, 4)),
                      out = b.upload(std::vector<std::uint32_t>(32));
  b.run({{1}, {32}}, {x, y, out});
  const auto got = b.download<std::uint32_t>(out, 32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], 3 + t % 2);
}

TEST_CASE("addresses of one generic access may lie in several spaces") {
  bench b(
      kernel_text(".shared .align 4 .b32 tile[32]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; mov.u64 %rd5, tile; "
                  "cvta.shared.u64 %rd5, %rd5; add.u64 %rd5, %rd5, %rd4; add.u64 %rd6, %rd0, %rd4; "
                  "st.u32 [%rd5], 3; bar.sync 0; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; "
                  "selp.b64 %rd7, %rd5, %rd6, %p1; ld.u32 %r2, [%rd7]; add.u64 %rd8, %rd1, %rd4; st.global.u32 [%rd8], %r2;"));
  const std::uint64_t x = b.upload(std::vector<std::uint32_t>(32, 4)), out = b.upload(std::vector<std::uint32_t>(32));
  b.run({{1}, {32}}, {x, out});
  const auto got = b.download<std::uint32_t>(out, 32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], 3 + t % 2);
}
