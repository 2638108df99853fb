#include <tg/emulator/run/executor.hpp>

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

TEST_CASE("nested branches in loops of different lengths") {
  for (const std::uint64_t seed : {0, 5, 6}) {
    const auto got = per_thread(R"(
      mov.u32 %r20, 0; mov.u32 %r1, 0; rem.u32 %r2, %r0, 7;
      outer: setp.ge.u32 %p1, %r1, %r2; @%p1 bra end;
      mov.u32 %r3, 0;
      inner: setp.gt.u32 %p2, %r3, %r1; @%p2 bra done;
      add.u32 %r4, %r0, %r3; and.b32 %r4, %r4, 1; setp.eq.u32 %p3, %r4, 0; @%p3 bra even;
      add.u32 %r20, %r20, 100; bra joined; even: add.u32 %r20, %r20, 1; joined:
      add.u32 %r3, %r3, 1; bra inner;
      done: add.u32 %r1, %r1, 1; bra outer;
    )",
                                200, seed);
    for (std::uint32_t t = 0; t < 200; ++t) {
      std::uint32_t want = 0;
      for (std::uint32_t i = 0; i < t % 7; ++i)
        for (std::uint32_t k = 0; k <= i; ++k) want += (t + k) % 2 == 0 ? 1 : 100;
      REQUIRE_EQ(got[t], want);
    }
  }
}

TEST_CASE("lanes leave a loop early, or the kernel") {
  const auto got = per_thread(R"(
    mov.u32 %r20, 0;
    again: add.u32 %r20, %r20, 1; setp.eq.u32 %p1, %r20, %r0; @%p1 bra end; setp.lt.u32 %p2, %r20, 50; @%p2 bra again;
    setp.gt.u32 %p3, %r0, 60; @%p3 exit;
  )",
                              64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK_EQ(got[t], t == 0 ? 50 : t <= 50 ? t : t > 60 ? 0xdddddddd : 50);
}

TEST_CASE("a spin lock between the lanes of a block makes progress") {
  for (const std::uint64_t seed : {0, 9}) {
    bench b(kernel_text(R"(
      .shared .align 4 .b32 lock; mov.u32 %r1, lock; mov.u32 %r0, %tid.x; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [%r1], 0; bar.sync 0;
      try: atom.shared.cas.b32 %r2, [%r1], 0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra try;
      ld.volatile.global.u32 %r3, [%rd0]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd0], %r3; membar.cta; atom.shared.exch.b32 %r2, [%r1], 0;
    )"));
    const std::uint64_t cell = b.upload(std::vector<std::uint32_t>(1));
    options how;
    how.seed = seed;
    b.run({{1}, {96}}, {cell}, how);
    CHECK_EQ(b.download<std::uint32_t>(cell, 1)[0], 96);
  }
}

TEST_CASE("a warp that waits for a later one in program order gets its flag") {
  bench b(kernel_text(R"(
    .shared .align 4 .b32 flag; mov.u32 %r1, flag; mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 32; @%p1 bra setter;
    wait: ld.volatile.shared.u32 %r2, [%r1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra wait; st.global.u32 [%rd0], %r2; ret;
    setter: mov.u32 %r3, 0; work: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5000; @%p3 bra work; st.volatile.shared.u32 [%r1], 3;
  )"));
  const std::uint64_t cell = b.upload(std::vector<std::uint32_t>(1));
  b.run({{1}, {64}}, {cell});
  CHECK_EQ(b.download<std::uint32_t>(cell, 1)[0], 3);
}

TEST_CASE("the clock runs") {
  const auto got = per_thread("mov.u32 %r1, %clock; mov.u64 %rd5, %clock64; mov.u32 %r2, %clock; sub.u32 %r20, %r2, %r1;", 32);
  CHECK_GT(got[0], 0);
  CHECK_LT(got[0], 100);
}

TEST_CASE("two runs count the same") {
  counters first, second;
  for (counters* c : {&first, &second}) {
    bench b(kernel_text("mov.u32 %r0, %tid.x; mov.u32 %r1, 0; next: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r0; @%p1 "
                        "bra next; mul.wide.u32 %rd4, %r0, 12; add.u64 %rd4, %rd0, %rd4; st.global.u32 [%rd4], %r1;"));
    options how;
    how.threads = 3;
    b.run({{17}, {96}}, {b.upload(std::vector<std::uint32_t>(3 * 96))}, how, c);
  }
  CHECK_EQ(first, second);
  CHECK_GT(first.warp_instructions, 0);
}
