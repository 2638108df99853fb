#include <tg/emulator/run/run.hpp>

#include <doctest/doctest.h>

#include <random>

#include "../runner.hpp"

namespace {

using namespace runner;

constexpr const char* saxpy = R"(
  .visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .f32 %f<5>;
    ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1; @%p1 bra done;
    mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
    ld.global.nc.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f4, %f1, %f2, %f3; st.global.f32 [%rd5], %f4;
  done: ret;
  })";

}  // namespace

TEST_CASE("saxpy at sizes around the block") {
  for (const std::uint32_t n : {1u, 31u, 255u, 256u, 257u, 512u, 1009u}) {
    std::mt19937 random(n);
    std::vector<float> x(n), y(n);
    for (std::uint32_t i = 0; i < n; ++i)
      x[i] = static_cast<float>(random()) * 0x1p-31f, y[i] = static_cast<float>(random()) * 0x1p-31f;
    bench b(module_text(saxpy));
    const std::uint64_t dx = b.upload(x), dy = b.upload(y);
    b.run({{(n + 255) / 256}, {256}}, {dx, dy, bits(1.25f) | std::uint64_t{n} << 32});
    const auto got = b.download<float>(dy, n);
    int wrong = 0;
    for (std::uint32_t i = 0; i < n; ++i) wrong += got[i] != __builtin_fmaf(1.25f, x[i], y[i]);
    CHECK_EQ(wrong, 0);
  }
}

TEST_CASE("transposing through a padded tile") {
  constexpr std::uint32_t n = 96;
  bench b(kernel_text(R"(
    .shared .align 4 .b32 tile[1056];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r8, 0;
    shl.b32 %r4, %r2, 5; shl.b32 %r5, %r3, 5; add.u32 %r6, %r4, %r0; mov.u32 %r20, tile;
    load: add.u32 %r9, %r1, %r8; add.u32 %r7, %r5, %r9; mad.lo.u32 %r10, %r7, 96, %r6; mul.wide.u32 %rd4, %r10, 4; add.u64 %rd4, %rd0, %rd4; ld.global.f32 %f1, [%rd4];
    mad.lo.u32 %r11, %r9, 33, %r0; shl.b32 %r11, %r11, 2; add.u32 %r11, %r20, %r11; st.shared.f32 [%r11], %f1; add.u32 %r8, %r8, 8; setp.lt.u32 %p1, %r8, 32; @%p1 bra load;
    bar.sync 0; mov.u32 %r8, 0; add.u32 %r6, %r5, %r0;
    store: add.u32 %r9, %r1, %r8; mad.lo.u32 %r11, %r0, 33, %r9; shl.b32 %r11, %r11, 2; add.u32 %r11, %r20, %r11; ld.shared.f32 %f2, [%r11];
    add.u32 %r7, %r4, %r9; mad.lo.u32 %r10, %r7, 96, %r6; mul.wide.u32 %rd4, %r10, 4; add.u64 %rd4, %rd1, %rd4; st.global.f32 [%rd4], %f2; add.u32 %r8, %r8, 8; setp.lt.u32 %p1, %r8, 32; @%p1 bra store;
  )"));
  std::vector<float> in(n * n);
  for (std::uint32_t i = 0; i < n * n; ++i) in[i] = static_cast<float>(i);
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<float>(n * n));
  counters counted;
  b.run({{3, 3}, {32, 8}}, {from, to}, {}, &counted);
  const auto got = b.download<float>(to, n * n);
  int wrong = 0;
  for (std::uint32_t r = 0; r < n; ++r)
    for (std::uint32_t c = 0; c < n; ++c) wrong += got[c * n + r] != in[r * n + c];
  CHECK_EQ(wrong, 0);
  int global = 0, shared = 0;
  for (const auto& i : counted.instructions)
    if (i.space == tg::ptx::token::global) {
      CHECK_EQ(i.full_sectors_max, 4);
      ++global;
    } else if (i.space == tg::ptx::token::shared) {
      CHECK_EQ(i.full_wavefronts_max, 1);
      ++shared;
    }
  CHECK_EQ(global, 2);
  CHECK_EQ(shared, 2);
}

namespace {}  // namespace

TEST_CASE("every block runs once, on however many threads") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    bench b(kernel_text("mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x; mad.lo.u32 %r0, %r1, %r2, "
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
  const std::string text = failure_of(
      kernel_text("wait: ld.volatile.global.u32 %r4, [%rd0]; setp.eq.u32 %p2, %r4, 0; @%p2 bra wait;"), {{2}, {64}}, 64, how);
  CHECK(has(text, "TG425"));
  CHECK(has(text, "kernel 'k'"));
  CHECK(has(text, "warps 0 to 1 lanes 0xffffffff run at '"));
}

TEST_CASE("a long kernel is no hang") {
  options how;
  how.watchdog_instructions = std::uint64_t{1} << 24;
  CHECK_EQ(failure_of(kernel_text("mov.u32 %r1, 0; next: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 100000; @%p1 bra next;"),
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
