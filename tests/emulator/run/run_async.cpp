#include <tg/emulator/run/run_async.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

/// `rounds` times: every thread of the grid adds 1 to its word, then all meet as nvcc's grid synchronisation does, then
/// adds its right neighbour's word to its sum.
constexpr const char* grid_sync = R"(
    mov.u32 %r10, %envreg2; cvt.u64.u32 %rd5, %r10; mov.u32 %r11, %envreg1; cvt.u64.u32 %rd6, %r11; bfi.b64 %rd7, %rd6, %rd5, 32, 32;
    add.u64 %rd8, %rd7, 4; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
    mov.u32 %r12, %nctaid.x;
    mul.lo.u32 %r4, %r12, %r2; add.u32 %r5, %r3, %r2; rem.u32 %r5, %r5, %r4; mul.wide.u32 %rd9, %r3, 4; add.u64 %rd9, %rd9, %rd0;
    mul.wide.u32 %rd10, %r5, 4; add.u64 %rd10, %rd10, %rd0;
    setp.eq.u32 %p2, %r1, 0; mov.u32 %r13, -2147483647; sub.u32 %r14, %r13, %r12; selp.b32 %r14, %r14, 1, %p2; mov.u32 %r20, 0;
    mov.u32 %r21, 0;
    next: ld.global.u32 %r6, [%rd9]; add.u32 %r6, %r6, 1; st.global.u32 [%rd9], %r6;
    setp.ne.u64 %p3, %rd7, 0; @%p3 bra has_grid; trap; has_grid: setp.ne.u32 %p4, %r0, 0; barrier.sync 0; @%p4 bra met;
    atom.add.release.gpu.u32 %r15, [%rd8], %r14;
    spin: ld.acquire.gpu.u32 %r16, [%rd8]; xor.b32 %r17, %r16, %r15; setp.gt.s32 %p5, %r17, -1; @%p5 bra spin;
    met: barrier.sync 0; ld.volatile.global.u32 %r7, [%rd10]; add.u32 %r20, %r20, %r7; add.u32 %r21, %r21, 1; and.b32 %r22, %r21, 1; 
    barrier.sync 0; @%p4 bra met_again; atom.add.release.gpu.u32 %r15, [%rd8], %r14;
    spin_again: ld.acquire.gpu.u32 %r16, [%rd8]; xor.b32 %r17, %r16, %r15; setp.gt.s32 %p5, %r17, -1; @%p5 bra spin_again;
    met_again: barrier.sync 0; setp.lt.u32 %p6, %r21, 4; @%p6 bra next;
    mul.wide.u32 %rd11, %r3, 4; add.u64 %rd11, %rd11, %rd1; st.global.u32 [%rd11], %r20;
)";

}  // namespace

TEST_CASE("the blocks of a cooperative grid meet") {
  for (const std::uint32_t blocks : {1u, 2u, 7u, 100u})
    for (const std::uint64_t seed : {0, 1}) {
      bench b(kernel_text(grid_sync));
      const std::uint64_t words = b.upload(std::vector<std::uint32_t>(blocks * 64)),
                          sums = b.upload(std::vector<std::uint32_t>(blocks * 64));
      launch_shape shape{{blocks}, {64}};
      shape.cooperative = true;
      options how;
      how.seed = seed;
      const std::size_t before = b.memory().live_count();
      b.run(shape, {words, sums}, how);
      for (const std::uint32_t v : b.download<std::uint32_t>(sums, blocks * 64)) CHECK_EQ(v, 1 + 2 + 3 + 4);
      CHECK_EQ(b.memory().live_count(), before);
    }
}

TEST_CASE("a grid that is not cooperative cannot meet") {
  CHECK(has(failure_of(kernel_text(grid_sync), {{2}, {64}}), "TG430"));
}

TEST_CASE("a cooperative grid larger than a device is refused") {
  launch_shape shape{{132 * 32 + 1}, {64}};
  shape.cooperative = true;
  CHECK(has(failure_of(kernel_text(grid_sync), shape), "TG458"));
}

TEST_CASE("registers keep blocks of a cooperative grid apart") {
  // 120 values alive at once in blocks of 512 threads: one block on each of 132 multiprocessors.
  std::string loads, stores;
  for (int k = 0; k < 120; ++k) {
    const std::string value = "%v" + std::to_string(k), at = "[%rd0+" + std::to_string(4 * k) + "];\n";
    loads += "ld.volatile.global.u32 " + value + ", " + at;
    stores += "st.volatile.global.u32 [%rd0+" + std::to_string(4 * (119 - k)) + "], " + value + ";\n";
  }
  const std::string heavy = "{ .reg .b32 %v<120>;\n" + loads + stores + "}\n";
  launch_shape shape{{133}, {512}};
  shape.cooperative = true;
  CHECK(has(failure_of(kernel_text(heavy), shape), "133 blocks, of which 132 fit"));
  CHECK_FALSE(has(failure_of(kernel_text("{ .reg .b32 %v<120>; }\n"), shape), "TG458"));
}

TEST_CASE("every launch has its number") {
  bench b(kernel_text("mov.u64 %rd4, %gridid; st.global.u64 [%rd0], %rd4;"));
  const std::uint64_t to = b.upload(words(1));
  b.run({{1}, {1}}, {to});
  const std::uint64_t first = b.download<std::uint64_t>(to, 1)[0];
  b.run({{1}, {1}}, {to});
  CHECK_NE(b.download<std::uint64_t>(to, 1)[0], first);
}
