#include <tg/emulator/run/synchronize.hpp>

#include <doctest/doctest.h>

#include <numeric>

#include "../runner.hpp"

namespace {

using namespace runner;

constexpr const char* tree = R"(
  .shared .align 4 .b32 part[256];
  mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd5, %rd0, %rd4; ld.global.u32 %r1, [%rd5];
  shl.b32 %r2, %r0, 2; mov.u32 %r3, part; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;
  mov.u32 %r4, 128;
  next: bar.sync 0; setp.ge.u32 %p1, %r0, %r4; @%p1 bra skip;
  shl.b32 %r5, %r4, 2; add.u32 %r6, %r3, %r5; ld.shared.u32 %r7, [%r6]; ld.shared.u32 %r8, [%r3]; add.u32 %r8, %r8, %r7; st.shared.u32 [%r3], %r8;
  skip: shr.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra next;
  setp.ne.u32 %p3, %r0, 0; @%p3 bra end; ld.shared.u32 %r9, [%r3]; st.global.u32 [%rd1], %r9;
  end:
)";

}  // namespace

TEST_CASE("a tree reduction") {
  std::vector<std::uint32_t> in(256);
  std::iota(in.begin(), in.end(), 1000u);
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    bench b(kernel_text(tree));
    const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(1));
    options how;
    how.seed = seed;
    counters counted;
    b.run({{1}, {256}}, {from, to}, how, &counted);
    CHECK_EQ(b.download<std::uint32_t>(to, 1)[0], std::accumulate(in.begin(), in.end(), 0u));
    CHECK_EQ(counted.barriers, 8);
  }
}

TEST_CASE("without its barriers the same reduction goes wrong for some order") {
  std::string broken = tree;
  broken.replace(broken.find("bar.sync 0;"), 11, "");
  std::vector<std::uint32_t> in(256, 1);
  bool differs = false;
  for (std::uint64_t seed = 0; seed < 20 && !differs; ++seed) {
    bench b(kernel_text(broken));
    const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(1));
    options how;
    how.seed = seed;
    b.run({{1}, {256}}, {from, to}, how);
    differs = b.download<std::uint32_t>(to, 1)[0] != 256;
  }
  CHECK(differs);
}

TEST_CASE("producer and consumer warps pass a buffer through two named barriers") {
  bench b(kernel_text(R"(
    .shared .align 4 .b32 slot[32];
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, slot; add.u32 %r3, %r3, %r2; mov.u32 %r4, 0; mov.u32 %r9, 0;
    setp.lt.u32 %p1, %r0, 32; @!%p1 bra consumer;
    produce: bar.sync 1, 64; add.u32 %r5, %r4, %r1; st.shared.u32 [%r3], %r5; bar.arrive 2, 64; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra produce;
    ret;
    consumer: bar.arrive 1, 64; bar.sync 2, 64; ld.shared.u32 %r6, [%r3]; add.u32 %r9, %r9, %r6; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra consumer;
    mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd0; st.global.u32 [%rd4], %r9;
  )"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(32));
  b.run({{1}, {64}}, {out});
  const auto got = b.download<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK_EQ(got[i], 45 + 10 * i);
}

TEST_CASE("bar.red counts and joins predicates of the block") {
  bench b(kernel_text(R"(
    mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 50; setp.lt.u32 %p2, %r0, 500;
    bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p3, 0, %p1; bar.red.or.pred %p4, 0, !%p2; bar.red.and.pred %p5, 0, %p2;
    selp.u32 %r2, 1, 0, %p3; selp.u32 %r3, 1, 0, %p4; selp.u32 %r4, 1, 0, %p5; mul.wide.u32 %rd4, %r0, 16; add.u64 %rd4, %rd4, %rd0; st.global.v4.u32 [%rd4], {%r1, %r2, %r3, %r4};
  )"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(400));
  b.run({{1}, {100}}, {out});
  const auto got = b.download<std::uint32_t>(out, 400);
  for (std::uint32_t t = 0; t < 100; ++t)
    CHECK_EQ(std::vector<std::uint32_t>(got.begin() + 4 * t, got.begin() + 4 * t + 4), std::vector<std::uint32_t>{50, 0, 0, 1});
}

TEST_CASE("bar.red and vote take barriers, counts and members as numbers, and predicates as 0 or not 0") {
  // Two barriers of 64 threads each: the upper half of the block joins on its own.
  bench b(kernel_text(R"(
    mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 50; setp.ge.u32 %p0, %r0, 64; @%p0 bra upper;
    bar.red.and.pred %p3, 1, 64, %p1; bar.red.or.pred %p4, 1, 64, %p1; bar.red.popc.u32 %r1, 1, 64, %p1; bra done;
    upper: bar.red.and.pred %p3, 2, 64, 1; barrier.red.or.pred %p4, 2, 64, 0; bar.red.popc.u32 %r1, 2, 64, 3;
    done: barrier.cta.red.aligned.and.pred %p5, 3, 1; @!%p5 bra end;
    selp.u32 %r2, 1, 0, %p3; selp.u32 %r3, 1, 0, %p4; mov.u32 %r4, 9; and.b32 %r5, %r0, 31; setp.ne.u32 %p6, %r5, 0; @%p6 bra write;
    vote.sync.all.pred %p7, 2, 1; selp.u32 %r4, 1, 0, %p7;
    write: mul.wide.u32 %rd4, %r0, 16; add.u64 %rd4, %rd4, %rd0; st.global.v4.u32 [%rd4], {%r1, %r2, %r3, %r4};
    end:
  )"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(512));
  b.run({{1}, {128}}, {out});
  const auto got = b.download<std::uint32_t>(out, 512);
  for (std::uint32_t t = 0; t < 128; ++t)
    CHECK_EQ(std::vector<std::uint32_t>(got.begin() + 4 * t, got.begin() + 4 * t + 4),
             std::vector<std::uint32_t>{t < 64 ? 50u : 64u, t < 64 ? 0u : 1u, t < 64 ? 1u : 0u, t % 32 == 0 ? 1u : 9u});
}

TEST_CASE("threads that exited are not waited for") {
  CHECK_EQ(failure_of(kernel_text("mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 40; @%p1 exit; bar.sync 0;"), {{1}, {128}}), "");
}

TEST_CASE("a barrier in a divergent branch is found, in a uniform one it is not") {
  const std::string divergent =
      "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra even; bar.sync 0; bra end; even: "
      "bar.sync 0; end:";
  CHECK(has(failure_of(kernel_text(divergent), {{1}, {64}}), "TG420"));
  std::string uniform = divergent;
  uniform.replace(uniform.find("and.b32 %r1, %r0, 1"), 19, "and.b32 %r1, %r0, 32");
  CHECK_EQ(failure_of(kernel_text(uniform), {{1}, {64}}), "");
}

TEST_CASE("a barrier that some threads never reach is a deadlock that names them") {
  const std::string skipped =
      "mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 32; @%p1 bra second; bar.sync 1, 64; ret; second: bar.sync 2, 64;";
  const std::string text = failure_of(kernel_text(skipped), {{1}, {64}});
  CHECK(has(text, "TG421"));
  CHECK(has(text, "warp 0 lanes 0xffffffff wait at 'bar.sync'"));
  CHECK(has(text, "for barrier 2"));
  CHECK(has(text, "for barrier 1"));
}

TEST_CASE("counts and numbers of barriers are checked") {
  CHECK(has(failure_of(kernel_text("mov.u32 %r0, 48; bar.sync 0, %r0;"), {{1}, {64}}), "TG423"));
  CHECK(has(failure_of(kernel_text("bar.sync 0, 128;"), {{1}, {64}}), "TG423"));
  CHECK(has(failure_of(kernel_text("mov.u32 %r1, 16; bar.sync %r1;"), {{1}, {64}}), "TG423"));
  CHECK(
      has(failure_of(kernel_text("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 32; selp.u32 %r1, 64, 96, %p1; bar.sync 3, %r1;"),
                     {{1}, {96}}),
          "TG422"));
  CHECK_EQ(failure_of(kernel_text("bar.sync 0, 64;"), {{1}, {64}}), "");
}
