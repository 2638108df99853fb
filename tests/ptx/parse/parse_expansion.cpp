#include <tg/ptx/parse/parse_expansion.hpp>

#include <doctest/doctest.h>

#include "../body_text.hpp"

using tg::ptx::test::text_of;

TEST_CASE("elements of arrays are addresses for mov and cvta, and accessed by ld and st") {
  CHECK_EQ(text_of("mov.u64 d, x[0];"), "mov.u64 %rd0, x; ");
  CHECK_EQ(text_of("mov.u64 d, x[2];"), "mov.u64 %rd0, x+8; ");
  CHECK_EQ(text_of("cvta.global.u64 d, x[1];"), "cvta.global.u64 %rd0, x+4; ");
  CHECK_EQ(text_of("ld.global.b32 r0, x[2];"), "ld.global.b32 %r0, [x+8]; ");
  CHECK_EQ(text_of("mov.u64 d, x[r1+1];"),
           "mul.wide.s32 %rd0, %r0, 4; mov.u64 %rd1, x; add.s64 %rd1, %rd1, %rd0; add.s64 %rd1, %rd1, 4; mov.u64 %rd2, %rd1; ");
  CHECK_EQ(
      text_of("ld.global.b32 r0, x[h];"),
      "cvt.s32.s16 %r0, %rs0; mul.wide.s32 %rd0, %r0, 4; mov.u64 %rd1, x; add.s64 %rd1, %rd1, %rd0; ld.global.b32 %r1, [%rd1]; ");
  CHECK_THROWS_AS(text_of("red.global.add.u32 x[1], 1;"), tg::error);
  CHECK_THROWS_AS(text_of("ld.global.b32 r0, x[r1-1];"), tg::error);
  CHECK_THROWS_AS(text_of("mov.u32 r0, x;"), tg::error);
}

TEST_CASE("vectors are moved part by part, special registers too") {
  CHECK_EQ(text_of("mov.v4.u32 {r0, r1, _, r2}, %tid;"), "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, 0; ");
  CHECK_EQ(
      text_of("mov.v4.u32 v1, %nctaid; st.global.u32 [d], v1.z;"),
      "mov.u32 %r0, %nctaid.x; mov.u32 %r1, %nctaid.y; mov.u32 %r2, %nctaid.z; mov.u32 %r3, 0; st.global.u32 [%rd0], %r2; ");
  CHECK_EQ(text_of("@!p mov.v2.u32 {r0, r1}, {r1, r0};"), "mov.u32 %r0, %r1; @!%p0 mov.u32 %r1, %r2; @!%p0 mov.u32 %r2, %r0; ");
  CHECK_EQ(text_of("mov.v2.f32 w, {0f3f800000, f};"), "mov.f32 %f0, 0f3F800000; mov.f32 %f1, %f2; ");
  CHECK_EQ(text_of("cvt.u32.u16 r0, %tid.x;"), "mov.b32 %r0, %tid.x; cvt.u32.u16 %r1, %r0; ");
  CHECK_EQ(text_of("cvt.u32.u64 r0, %clock64;"), "mov.b64 %rd0, %clock64; cvt.u32.u64 %r0, %rd0; ");
  for (const char* text :
       {"ld.global.b32 r0, [16];", "mov.u64 x[r1], d;", "cvta.to.global.u64 d, x[1];", "ld.shared.b32 r0, x[r1];",
        "mul.u32.lo r0, r1, r2;", "mov.u32 r0, ~1.0;", "mov.v2.u32 {r0, r1}, %tid;", "mov.v4.u64 {d, d, d, d}, %tid;",
        "mov.v4.f32 {f, f, f, f}, %tid;", "mov.u32 r0, %tid;", "mov.v4.u32 {r0, r1, r2, r3}, %clusterid;",
        "mov.v8.u16 {h,h,h,h,h,h,h,h}, {h,h,h,h,h,h,h,h};", "cvt.rn.f32.u32 f, %tid.x;", "cvt.u32.u64 r0, %tid.x;",
        "add.u32 r0, %tid.x, 1;"})
    CHECK_THROWS_AS_MESSAGE(text_of(text), tg::error, text);
}

TEST_CASE("registers go to parameters as bits, one after the other, and back") {
  using namespace tg::ptx;
  tg::dynamic_array<instruction> moves;
  const operand to = operand::named(operand_kind::local, 3);
  detail::expansion::move_parts(to, 5, 2, token::f64, true, moves);
  detail::expansion::move_parts(to, 5, 1, token::f32, false, moves);
  REQUIRE(moves.size() == 3);
  CHECK(moves[0] == instruction{opcode::st, {token::param, token::b64}, {operand::address(to, 0), operand::reg(5)}});
  CHECK(moves[1] == instruction{opcode::st, {token::param, token::b64}, {operand::address(to, 8), operand::reg(6)}});
  CHECK(moves[2] == instruction{opcode::ld, {token::param, token::b32}, {operand::reg(5), operand::address(to, 0)}});
}
