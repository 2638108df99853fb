#include <tg/emulator/run/lane_dispatch.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

std::vector<std::uint32_t> per_thread(const std::string& body, std::uint32_t threads, std::uint64_t seed = 0) {
  bench b(kernel_text("mov.u32 %r0, %tid.x;\n" + body +
                      "\nend: mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r20;"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(threads, 0xdddddddd));
  options how;
  how.seed = seed;
  b.run({{1}, {threads}}, {out, out}, how);
  return b.download<std::uint32_t>(out, threads);
}

}  // namespace

TEST_CASE("guards of every kind of instruction") {
  const auto got = per_thread(R"(
    .shared .align 4 .b32 cell[64]; shl.b32 %r1, %r0, 2; mov.u32 %r2, cell; add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], 5;
    and.b32 %r3, %r0, 3; setp.eq.u32 %p1, %r3, 2; mov.u32 %r20, 1; mov.u64 %rd5, 7;
    @%p1 mov.u32 %r20, 2; @!%p1 st.shared.u32 [%r2], 9; @%p1 mul.wide.u32 %rd5, %r0, 10; @%p1 ld.shared.u32 %r4, [%r2]; @!%p1 mov.u32 %r4, 0;
    cvt.u32.u64 %r5, %rd5; mad.lo.u32 %r20, %r20, 1000, %r5; ld.shared.u32 %r6, [%r2]; mad.lo.u32 %r20, %r6, 10000, %r20; mad.lo.u32 %r20, %r4, 100000, %r20;
  )",
                              64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK_EQ(got[t], t % 4 == 2 ? 2000 + 10 * t + 50000 + 500000 : 1000 + 7 + 90000);
}
