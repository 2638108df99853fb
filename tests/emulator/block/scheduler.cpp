#include <tg/emulator/block/scheduler.hpp>

#include <doctest/doctest.h>

#include <set>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Every warp adds its number, times ten to the number of those that came before it, to one word.
std::uint32_t order_of_warps(std::uint64_t seed) {
  bench b(kernel_text("mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; setp.eq.u32 %p1, %r1, 1; @%p1 bra write;\n"
                      "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;\n"
                      "write: ld.global.u32 %r3, [%rd0]; mul.lo.u32 %r3, %r3, 10; add.u32 %r3, %r3, %r1; add.u32 %r3, "
                      "%r3, 1; st.global.u32 [%rd0], %r3;"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(1, 0));
  options how;
  how.seed = seed;
  how.threads = 1;
  b.run({{1}, {96}}, {out, out}, how);
  return b.download<std::uint32_t>(out, 1)[0];
}

}  // namespace

TEST_CASE("without a seed the order is always the same, with seeds it varies and each repeats itself") {
  CHECK_EQ(order_of_warps(0), order_of_warps(0));
  std::set<std::uint32_t> orders;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::uint32_t once = order_of_warps(seed);
    CHECK_EQ(once, order_of_warps(seed));
    orders.insert(once);
  }
  CHECK_GT(orders.size(), 1u);
}

TEST_CASE("a warp that waits for one behind it in the text is not starved") {
  CHECK_EQ(failure_of(kernel_text("mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 32; @%p1 bra late;\n"
                                  "spin: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p2, %r1, 0; @%p2 bra spin; ret;\n"
                                  "late: mov.u32 %r2, 1; st.volatile.global.u32 [%rd0], %r2;"),
                      {{1}, {64}}),
           "");
}
