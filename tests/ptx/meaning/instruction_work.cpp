#include <tg/ptx/meaning/instruction_work.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/parse/parse.hpp>

namespace {

tg::ptx::instruction one(const std::string& text) {
  const auto m = tg::ptx::parse(
      ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k() { .reg .pred p; .reg .b16 h<9>; .reg .b32 "
      "r<40>; "
      ".reg .b64 d<9>; .reg .f32 f<40>; .reg .f64 g<9>; " +
      text + " ret; }");
  return m.functions[0].body[0];
}

tg::ptx::matrix_work matrix(const std::string& text) { return tg::ptx::matrix_work_of(one(text)); }

}  // namespace

TEST_CASE("flops per lane") {
  CHECK_EQ(tg::ptx::flops_of(one("fma.rn.f32 f0, f1, f2, f3;")), 2);
  CHECK_EQ(tg::ptx::flops_of(one("add.f64 g0, g1, g2;")), 1);
  CHECK_EQ(tg::ptx::flops_of(one("fma.rn.f16x2 r0, r1, r2, r3;")), 4);
  CHECK_EQ(tg::ptx::flops_of(one("add.s32 r0, r1, r2;")), 0);
  CHECK_EQ(tg::ptx::flops_of(one("mov.f32 f0, f1;")), 0);
}

TEST_CASE("multiply-adds of one warp's matrix instruction, and their type") {
  using tg::ptx::token;
  const auto half =
      matrix("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {r0,r1,r2,r3}, {r4,r5}, {f0,f1,f2,f3};");
  CHECK_EQ(half.multiply_adds, 16 * 8 * 16);
  CHECK(half.type == token::f16);
  const auto bytes =
      matrix("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {r0,r1,r2,r3}, {r4,r5,r6,r7}, {r8,r9}, {r0,r1,r2,r3};");
  CHECK_EQ(bytes.multiply_adds, 16 * 8 * 32);
  CHECK(bytes.type == token::u8);
  const auto doubles = matrix("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {g0,g1}, {g2}, {g3}, {g0,g1};");
  CHECK_EQ(doubles.multiply_adds, 256);
  CHECK(doubles.type == token::f64);
  const auto old = matrix("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {f0,f1,f2,f3,f4,f5,f6,f7}, "
                          "{r0,r1,r2,r3,r4,r5,r6,r7}, {r8,r9,r10,r11,r12,r13,r14,r15}, {f0,f1,f2,f3,f4,f5,f6,f7};");
  CHECK_EQ(old.multiply_adds, 4096);
  CHECK(old.type == token::f16);
  CHECK_EQ(matrix("add.f32 f0, f1, f2;").multiply_adds, 0);
}
