#include <tg/emulator/decode/decode_move.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using runner::evaluate;

TEST_CASE("values are packed and unpacked in parts of every width") {
  const char* const bytes = ".reg .b8 %b<4>;\n";
  CHECK_EQ(evaluate(std::string("{") + bytes + "mov.b32 {%b0, %b1, %b2, %b3}, %r10; mov.b32 %r20, {%b3, %b2, %b1, %b0};}",
                    {{0x11223344}}, "%r20")[0],
           0x44332211);
  CHECK_EQ(evaluate("mov.b64 {%h10, %h11, %h12, %h13}, %rd10; mov.b64 %rd20, {%h13, %h12, %h11, %h10};", {{0x1111222233334444}},
                    "%rd20")[0],
           0x4444333322221111);
  CHECK_EQ(evaluate("mov.b32 {_, %h11}, %r10; cvt.u32.u16 %r20, %h11;", {{0xaaaabbbb}}, "%r20")[0], 0xaaaa);
}

TEST_CASE("128 bits are moved whole") {
  const std::string text =
      "{.reg .b128 %q<3>; mov.b128 %q0, {%rd10, %rd11}; mov.b128 %q1, %q0; mov.b128 {%rd20, %rd21}, %q1;"
      "mov.b128 {%r20, %r21, %r22, %r23}, %q1; mov.b128 %q2, {%r23, %r22, %r21, %r20}; mov.b128 {%rd22, %rd23}, %q2;}";
  CHECK_EQ(evaluate(text, {{1, 2}}, "%rd20")[0], 1);
  CHECK_EQ(evaluate(text, {{1, 2}}, "%rd21")[0], 2);
  CHECK_EQ(evaluate(text, {{0x100000002, 0x300000004}}, "%rd22")[0], 0x400000003);
  CHECK_EQ(evaluate(text, {{0x100000002, 0x300000004}}, "%rd23")[0], 0x200000001);
}

TEST_CASE("vectors of registers, of special registers and in calls; elements of arrays; sums as operands") {
  runner::bench b(
      runner::kernel_text(R"(
    .reg .v4 .u32 t; .reg .v2 .u32 pair<2>; .global .align 4 .b32 own[2] = {40, 50};
    mov.v4.u32 t, %tid; mov.v2.u32 {%r10, %r11}, {t.x, t.w}; mov.v2.u32 {%r10, %r11}, {%r11, %r10};
    mov.v2.u32 pair1, {%r11, 7}; call (pair0), swap, (pair1); cvt.u32.u16 %r12, %ntid.x;
    mov.u64 %rd5, table[1]; ld.u32 %r13, [%rd5]; and.b32 %r14, %r11, 1; ld.global.u32 %r15, own[%r14];
    mul.wide.u32 %rd4, %r11, 32; add.u64 %rd4, %rd4, %rd0;
    st.global.v4.u32 [%rd4], {%r10, %r11, pair0.x, pair0.y}; st.global.u32 [%rd4+16], %r12+1; st.global.u32 [%rd4+20], %r13;
    st.global.u32 [%rd4+24], %r15; mov.u64 %rd6, table[%r14]; ld.u32 %r16, [%rd6]; st.global.u32 [%rd4+28], %r16;
  )",
                          ".global .align 4 .b32 table[2] = {5, 6};\n.func (.reg .v2 .u32 r) swap(.reg .v2 .u32 a)\n"
                          ".func (.reg .v2 .u32 r) swap(.reg .v2 .u32 a) { mov.v2.u32 r, {a.y, a.x}; ret; }\n"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(8 * 40));
  b.run({{1}, {40}}, {out});
  const auto got = b.download<std::uint32_t>(out, 8 * 40);
  for (std::uint32_t t = 0; t < 40; ++t)
    CHECK_EQ(std::vector<std::uint32_t>(got.begin() + 8 * t, got.begin() + 8 * t + 8),
             std::vector<std::uint32_t>{0, t, 7, t, 41, 6, t % 2 == 0 ? 40u : 50u, 5 + t % 2});
}
