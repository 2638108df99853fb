#include <tg/emulator/decode/decode_memory.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace { using namespace runner; }  // namespace

TEST_CASE("loads extend by their type, stores cut down") {
  bench b(kernel_text(R"(
    ld.global.u8 %r1, [%rd0]; ld.global.s8 %r2, [%rd0]; ld.global.u16 %r3, [%rd0]; ld.global.s16 %r4, [%rd0];
    ld.global.s32 %rd4, [%rd0]; ld.global.u32 %rd5, [%rd0]; ld.global.b64 %rd6, [%rd0]; ld.global.s8 %rd7, [%rd0];
    st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; st.global.u32 [%rd1+12], %r4;
    st.global.u64 [%rd1+16], %rd4; st.global.u64 [%rd1+24], %rd5; st.global.u64 [%rd1+32], %rd6; st.global.u64 [%rd1+40], %rd7;
    st.global.u8 [%rd1+48], %r2; st.global.u16 [%rd1+50], %rd6;
  )"));
  const std::uint64_t in = b.upload(words{0xfedcba98f7f6f5f4}), out = b.upload(words(8));
  b.run({{1}, {1}}, {in, out});
  const words got = b.download<std::uint64_t>(out, 7);
  CHECK_EQ(got[0], 0xfffffff4000000f4);
  CHECK_EQ(got[1], 0xfffff5f40000f5f4);
  CHECK_EQ(got[2], 0xfffffffff7f6f5f4);
  CHECK_EQ(got[3], 0x00000000f7f6f5f4);
  CHECK_EQ(got[4], 0xfedcba98f7f6f5f4);
  CHECK_EQ(got[5], 0xfffffffffffffff4);
  CHECK_EQ(got[6], 0xf5f400f4);
}

TEST_CASE("vectors move element by element, `_` leaves one out") {
  bench b(kernel_text(R"(
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 16; add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4;
    ld.global.v4.u32 {%r1, %r2, _, %r4}, [%rd5]; ld.global.v2.f64 {%fd1, %fd2}, [%rd5];
    ld.global.v4.u8 {%r6, %r7, %r8, %r9}, [%rd5];
    st.global.v4.b32 [%rd6], {%r4, %r7, %r2, %r1};
  )"));
  std::vector<std::uint32_t> in(4 * 64);
  for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = i * 0x01010101u + 0x100;
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(4 * 64));
  b.run({{1}, {64}}, {from, to});
  const auto got = b.download<std::uint32_t>(to, 4 * 64);
  for (std::uint32_t t = 0; t < 64; ++t) {
    CHECK_EQ(got[4 * t], in[4 * t + 3]);
    CHECK_EQ(got[4 * t + 1], (in[4 * t] >> 8 & 0xff));
    CHECK_EQ(got[4 * t + 2], in[4 * t + 1]);
    CHECK_EQ(got[4 * t + 3], in[4 * t]);
  }
}

TEST_CASE("module variables, shared, local, constant and generic memory") {
  bench b(kernel_text(R"(
    .local .align 8 .b8 stack[16]; .shared .align 4 .b32 tile[64];
    mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; cvt.u64.u32 %rd4, %r1;
    mov.u64 %rd5, table; add.u64 %rd5, %rd5, %rd4; ld.const.u32 %r2, [%rd5];      // table[tid]
    mov.u64 %rd6, stack; cvta.local.u64 %rd7, %rd6; st.u32 [%rd7+4], %r2; ld.local.u32 %r3, [%rd6+4];
    mov.u32 %r4, tile; add.u32 %r4, %r4, %r1; st.shared.u32 [%r4], %r3;
    cvt.u64.u32 %rd8, %r4; cvta.shared.u64 %rd9, %rd8; ld.u32 %r5, [%rd9];
    ld.global.u32 %r6, [start+4]; add.u32 %r7, %r5, %r6;
    ld.global.u64 %rd10, [pointer]; ld.u32 %r8, [%rd10]; add.u32 %r7, %r7, %r8;
    isspacep.shared %p1, %rd9; isspacep.local %p2, %rd7; isspacep.global %p3, %rd0; isspacep.global %p4, %rd9;
    @!%p1 mov.u32 %r7, 0; @!%p2 mov.u32 %r7, 0; @!%p3 mov.u32 %r7, 0; @%p4 mov.u32 %r7, 0;
    add.u64 %rd11, %rd1, %rd4; st.global.u32 [%rd11], %r7;
  )",
                      ".const .align 4 .b32 table[4] = {10, 20, 30, 40};\n.global .align 4 .u32 start[2] = {1, "
                      "1000};\n.global .align 8 .u64 pointer = start;\n"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(4));
  b.run({{1}, {4}}, {out, out});
  CHECK_EQ(b.download<std::uint32_t>(out, 4), std::vector<std::uint32_t>{1011, 1021, 1031, 1041});
  CHECK_EQ(b.program().kernels()[0].static_shared_bytes, 256);
  CHECK_EQ(b.program().kernels()[0].local_bytes, 16);
  REQUIRE(b.program().find_symbol("start").has_value());
  CHECK_EQ(b.program().find_symbol("start")->size_bytes, 8);
}

TEST_CASE("generic accesses of one warp may go to two spaces") {
  bench b(kernel_text(R"(
    .shared .align 4 .b32 tile[32];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd4, %r0, 4; mov.u32 %r1, tile; cvt.u64.u32 %rd5, %r1; cvta.shared.u64 %rd5, %rd5;
    add.u64 %rd6, %rd5, %rd4; add.u64 %rd7, %rd0, %rd4; mul.lo.u32 %r3, %r0, 3; st.u32 [%rd6], %r3;
    and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; selp.b64 %rd8, %rd6, %rd7, %p1;
    ld.u32 %r4, [%rd8]; add.u64 %rd9, %rd1, %rd4; st.u32 [%rd9], %r4;
  )"));
  const std::uint64_t in = b.upload(std::vector<std::uint32_t>(32, 7)), out = b.upload(std::vector<std::uint32_t>(32));
  b.run({{1}, {32}}, {in, out});
  const auto got = b.download<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK_EQ(got[i], i % 2 == 0 ? 3 * i : 7);
}

TEST_CASE("parameters read by address, as structs are") {
  bench b(module_text(R"(
    .visible .entry k(.param .u64 out, .param .align 4 .b8 pair[8]) {
      .reg .b32 %r<4>; .reg .b64 %rd<5>;
      ld.param.u64 %rd0, [out]; mov.b64 %rd1, pair; ld.param.u32 %r0, [%rd1+4]; ld.param.v2.u32 {%r1, %r2}, [pair]; ld.param.s8 %r3, [pair+3];
      st.global.u32 [%rd0], %r0; st.global.u32 [%rd0+4], %r1; st.global.u32 [%rd0+8], %r2; st.global.u32 [%rd0+12], %r3; ret;
    })"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(4));
  b.run({{1}, {1}}, {out, 0x55aa00ff80000001});
  CHECK_EQ(b.download<std::uint32_t>(out, 4), std::vector<std::uint32_t>{0x55aa00ff, 0x80000001, 0x55aa00ff, 0xffffff80});
  CHECK_EQ(b.program().kernels()[0].parameters.size(), 2);
  CHECK_EQ(b.program().kernels()[0].parameters[1].offset_bytes, 8);
  CHECK_EQ(b.program().kernels()[0].parameter_bytes, 16);
}

TEST_CASE("atomics return the old value and combine by type") {
  struct row {
    const char* form;
    std::uint64_t start, b, c, result;
  };
  const row rows[] = {{"add.u32", 0xffffffff, 3, 0, 2},
                      {"add.u64", ~0ull, 3, 0, 2},
                      {"min.s32", 5, 0xffffffff, 0, 0xffffffff},
                      {"min.u32", 5, 0xffffffff, 0, 5},
                      {"max.s64", 5, ~0ull, 0, 5},
                      {"max.u64", 5, ~0ull, 0, ~0ull},
                      {"and.b32", 0xff, 0xf0f, 0, 0x0f},
                      {"or.b64", 0xf0, 0x0f, 0, 0xff},
                      {"xor.b32", 0xff, 0x0f, 0, 0xf0},
                      {"exch.b32", 1, 2, 0, 2},
                      {"exch.b64", 1, 1ull << 40, 0, 1ull << 40},
                      {"cas.b32", 5, 5, 9, 9},
                      {"cas.b32", 5, 6, 9, 5},
                      {"cas.b64", 1ull << 40, 1ull << 40, 9, 9},
                      {"inc.u32", 3, 3, 0, 0},
                      {"inc.u32", 2, 3, 0, 3},
                      {"dec.u32", 0, 7, 0, 7},
                      {"dec.u32", 9, 7, 0, 7},
                      {"dec.u32", 5, 7, 0, 4},
                      {"add.f32", bits(1.5f), bits(2.0f), 0, bits(3.5f)},
                      {"add.f64", bits(1.5), bits(2.0), 0, bits(3.5)}};
  for (const row& r : rows) {
    CAPTURE(r.form);
    const std::string form = r.form;
    const bool is_wide = form.ends_with("64"), is_float = form.find(".f") != form.npos, compares = form.starts_with("cas");
    const std::string reg = is_float ? (is_wide ? "%fd" : "%f") : is_wide ? "%rd" : "%r", width = is_wide ? "b64" : "b32";
    bench b(kernel_text("ld.global." + width + " " + reg + "11, [%rd0]; ld.global." + width + " " + reg +
                        "12, [%rd0+8];\natom.global." + form + " " + reg + "13, [%rd1], " + reg + "11" +
                        (compares ? ", " + reg + "12" : "") + ";\nst.global." + width + " [%rd2], " + reg + "13;"));
    const std::uint64_t in = b.upload(words{r.b, r.c}), cell = b.upload(words{r.start}), old = b.upload(words{0});
    b.run({{1}, {1}}, {in, cell, old});
    CHECK_EQ(b.download<std::uint64_t>(cell, 1)[0], r.result);
    CHECK_EQ(b.download<std::uint64_t>(old, 1)[0], r.start);
  }
}

TEST_CASE("a histogram by atomics, in global and in shared memory, loses nothing") {
  bench b(kernel_text(R"(
    .shared .align 4 .b32 bins[16];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
    shl.b32 %r4, %r0, 2; mov.u32 %r5, bins; add.u32 %r6, %r5, %r4; setp.lt.u32 %p1, %r0, 16;
    @%p1 st.shared.u32 [%r6], 0; bar.sync 0;
    mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd4, %rd0; ld.global.u32 %r7, [%rd4]; and.b32 %r7, %r7, 15; shl.b32 %r7, %r7, 2;
    add.u32 %r8, %r5, %r7; atom.shared.add.u32 %r9, [%r8], 1; bar.sync 0;
    @!%p1 bra end; ld.shared.u32 %r10, [%r6]; cvt.u64.u32 %rd5, %r4; add.u64 %rd5, %rd5, %rd1; red.global.add.u32 [%rd5], %r10;
    end:
  )"));
  std::vector<std::uint32_t> data(20 * 256), want(16);
  std::uint32_t x = 1;
  for (std::uint32_t& d : data) x = x * 1664525 + 1013904223, d = x >> 10, ++want[d & 15];
  const std::uint64_t in = b.upload(data), out = b.upload(std::vector<std::uint32_t>(16));
  options how;
  how.threads = 4;
  b.run({{20}, {256}}, {in, out}, how);
  CHECK_EQ(b.download<std::uint32_t>(out, 16), want);
}
