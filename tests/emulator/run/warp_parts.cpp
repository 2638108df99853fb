#include <tg/emulator/run/warp_parts.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using namespace runner;

TEST_CASE("lanes that jump to targets of their own go on apart and come together again") {
  bench b(kernel_text(R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, 0; and.b32 %r2, %r0, 3; ways: .branchtargets none, one, two, three; brx.idx %r2, ways;
    three: add.u32 %r1, %r1, 1; two: add.u32 %r1, %r1, 1; one: add.u32 %r1, %r1, 1; none: bar.warp.sync -1;
    mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4; st.global.u32 [%rd4], %r1;)"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(64));
  b.run({{1}, {64}}, {out});
  const auto got = b.download<std::uint32_t>(out, 64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK_EQ(got[t], t % 4);
}
