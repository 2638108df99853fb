#include <tg/emulator/run_grid.hpp>

#include <doctest/doctest.h>

#include "runner.hpp"

namespace {

using namespace runner;

}  // namespace

TEST_CASE("every block runs once, on however many threads") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    bench b(
        kernel_text("mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x; mad.lo.u32 %r0, %r1, %r2, "
                    "%r0; mov.u32 %r3, %tid.x; setp.ne.u32 %p1, %r3, 0; @%p1 bra end; mul.wide.u32 %rd4, %r0, 4; "
                    "add.u64 %rd4, %rd0, %rd4; red.global.add.u32 [%rd4], 1; end:"));
    const std::uint64_t out = b.upload(std::vector<std::uint32_t>(300));
    options how;
    how.threads = threads;
    b.run({{20, 15}, {64}}, {out}, how);
    CHECK_EQ(b.download<std::uint32_t>(out, 300), std::vector<std::uint32_t>(300, 1));
  }
}

TEST_CASE("blocks that wait for later blocks get their turn") {
  for (const unsigned threads : {1u, 2u}) {
    bench b(kernel_text(R"(
      mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra all;
      atom.global.add.u32 %r3, [%rd0], 1;
      wait: ld.acquire.gpu.global.u32 %r4, [%rd0]; setp.lt.u32 %p2, %r4, %r1; @%p2 bra wait;
      all: bar.sync 0; ld.global.u32 %r5, [%rd0]; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r5;
    )"));
    const std::uint64_t cell = b.upload(std::vector<std::uint32_t>(1)), out = b.upload(std::vector<std::uint32_t>(8));
    options how;
    how.threads = threads;
    b.run({{8}, {64}}, {cell, out}, how);
    CHECK_EQ(b.download<std::uint32_t>(out, 8), std::vector<std::uint32_t>(8, 8));
  }
}

TEST_CASE("a hang ends and says who runs where") {
  options how;
  how.watchdog_instructions = std::uint64_t{1} << 22;
  const std::string text =
      failure_of(kernel_text("wait: ld.volatile.global.u32 %r4, [%rd0]; setp.eq.u32 %p2, %r4, 0; @%p2 bra wait;"),
                 {{2}, {64}}, 64, how);
  CHECK(has(text, "TG425"));
  CHECK(has(text, "kernel 'k'"));
  CHECK(has(text, "warps 0 to 1 lanes 0xffffffff run at '"));
}

TEST_CASE("a long kernel is no hang") {
  options how;
  how.watchdog_instructions = std::uint64_t{1} << 24;
  CHECK_EQ(
      failure_of(kernel_text("mov.u32 %r1, 0; next: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 100000; @%p1 bra next;"),
                 {{4}, {32}}, 64, how),
      "");
}

TEST_CASE("launches are checked") {
  const std::string text = module_text(".visible .entry k(.param .u64 p) .reqntid 64, 2 { ret; }");
  CHECK_EQ(failure_of(text, {{1}, {64, 2}}), "");
  CHECK(has(failure_of(text, {{1}, {128}}), "TG434"));
  CHECK(has(failure_of(module_text(".visible .entry k(.param .u64 p) .maxntid 64 { ret; }"), {{1}, {65}}), "TG434"));
  CHECK(has(failure_of(kernel_text(""), {{1}, {1025}}), "TG431"));
  CHECK(has(failure_of(kernel_text(""), {{1}, {0}}), "TG431"));
  CHECK(has(failure_of(kernel_text(""), {{0}, {32}}), "TG432"));
  bench b(kernel_text(""));
  CHECK(has(failure([&] { tg::emulator::run(b.memory(), b.program(), 0, {{1}, {32}}, {}); }), "TG433"));
}

TEST_CASE("dynamic shared memory lies behind the static") {
  const std::string text = kernel_text(
      ".shared .align 4 .b32 own[3]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, more; add.u32 %r3, %r2, "
      "%r1; st.shared.u32 [%r3], %r0; st.shared.u32 [own], 9; mov.u32 %r5, %dynamic_smem_size; bar.sync 0; xor.b32 "
      "%r4, %r1, 4; add.u32 %r4, %r2, %r4; ld.shared.u32 %r4, [%r4]; mad.lo.u32 %r4, %r5, 1000, %r4; mul.wide.u32 "
      "%rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4; st.global.u32 [%rd4], %r4;",
      ".extern .shared .align 16 .b8 more[];\n");
  bench b(text);
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(32));
  launch_shape shape{{1}, {32}, 128};
  b.run(shape, {out});
  const auto got = b.download<std::uint32_t>(out, 32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], 128000 + (t ^ 1));
  shape.dynamic_shared_bytes = 124;
  CHECK(has(failure([&] { b.run(shape, {out}); }), "TG404"));
}
