// Arithmetic whose bits PTX fixes: directions of rounding, subnormals, NaN, one rounding for fma and two for mul and add,
// integers that saturate. An AArch64 machine does each of them in its own way.
// Source: PTX ISA 9.0, 9.7.3 "Floating Point Instructions", 9.7.9.21 "cvt".
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../emulator/runner.hpp"

namespace {

using runner::words;

constexpr std::uint64_t one = 0x3f800000, minus_one = 0xbf800000, three = 0x40400000, tiny = 0x30800000,      // 2^-30
    minus_tiny = 0xb0800000, inf = 0x7f800000, minus_inf = 0xff800000, nan = 0x7fc01234, small = 0x0d800000,  // 2^-100
    smaller = 0x2b800000;                                                                                     // 2^-40

std::uint64_t f32(const std::string& instruction, const words& from) {
  return runner::evaluate(instruction, {from}, "%f19")[0];
}

}  // namespace

TEST_CASE("each direction of rounding") {
  const struct {
    const char* instruction;
    words from;
    std::uint64_t to;
  } rows[] = {
      {"div.rn.f32 %f19, %f10, %f11;", {one, three}, 0x3eaaaaab},
      {"div.rz.f32 %f19, %f10, %f11;", {one, three}, 0x3eaaaaaa},
      {"div.rm.f32 %f19, %f10, %f11;", {one, three}, 0x3eaaaaaa},
      {"div.rp.f32 %f19, %f10, %f11;", {one, three}, 0x3eaaaaab},
      {"add.rn.f32 %f19, %f10, %f11;", {one, tiny}, 0x3f800000},
      {"add.rp.f32 %f19, %f10, %f11;", {one, tiny}, 0x3f800001},
      {"add.rm.f32 %f19, %f10, %f11;", {minus_one, minus_tiny}, 0xbf800001},
      {"add.rz.f32 %f19, %f10, %f11;", {minus_one, minus_tiny}, 0xbf800000},
      {"sqrt.rm.f32 %f19, %f10;", {0x40000000}, 0x3fb504f3},
      {"sqrt.rp.f32 %f19, %f10;", {0x40000000}, 0x3fb504f4},
  };
  for (const auto& row : rows) {
    CAPTURE(row.instruction);
    CHECK(f32(row.instruction, row.from) == row.to);
  }
  CHECK(runner::evaluate("add.rp.f64 %fd19, %fd10, %fd11;", {{0x3ff0000000000000, 0x3c30000000000000}}, "%fd19")[0] ==
        0x3ff0000000000001);
}

TEST_CASE("fma rounds once, mul and add twice") {
  const words from{0x3f800001, 0xbf800002};  // 1 + e, -(1 + 2 e)
  CHECK(f32("fma.rn.f32 %f19, %f10, %f10, %f11;", from) == 0x28800000);
  CHECK(f32("mul.rn.f32 %f1, %f10, %f10; add.rn.f32 %f19, %f1, %f11;", from) == 0);
}

TEST_CASE("subnormals are kept, or flushed where the instruction says so") {
  CHECK(f32("mul.rn.f32 %f19, %f10, %f11;", {small, smaller}) == 0x200);
  CHECK(f32("mul.rn.ftz.f32 %f19, %f10, %f11;", {small, smaller}) == 0);
  CHECK(f32("add.rn.f32 %f19, %f10, %f10;", {0x200}) == 0x400);
  CHECK(f32("add.rn.ftz.f32 %f19, %f10, %f10;", {0x200}) == 0);
}

TEST_CASE("NaN comes where it should") {
  const auto is_nan = [](std::uint64_t bits) { return (bits & 0x7fffffff) > 0x7f800000; };
  CHECK(is_nan(f32("add.rn.f32 %f19, %f10, %f11;", {inf, minus_inf})));
  CHECK(is_nan(f32("mul.rn.f32 %f19, %f10, %f11;", {inf, 0})));
  CHECK(is_nan(f32("sqrt.rn.f32 %f19, %f10;", {minus_one})));
  CHECK(f32("min.f32 %f19, %f10, %f11;", {nan, three}) == three);
  CHECK(f32("max.NaN.f32 %f19, %f10, %f11;", {nan, three}) == 0x7fffffff);
}

TEST_CASE("conversions to integers saturate") {
  const auto to = [](const char* instruction, std::uint64_t from) {
    return runner::evaluate(instruction, {{from}}, "%r20")[0];
  };
  CHECK(to("cvt.rzi.s32.f32 %r20, %f10;", 0x4f32d05e) == 0x7fffffff);  // 3e9
  CHECK(to("cvt.rzi.s32.f32 %r20, %f10;", 0xcf32d05e) == 0x80000000);
  CHECK(to("cvt.rzi.s32.f32 %r20, %f10;", nan) == 0);
  CHECK(to("cvt.rzi.u32.f32 %r20, %f10;", minus_one) == 0);
  CHECK(to("cvt.rzi.u32.f32 %r20, %f10;", 0x4f32d05e) == 3000000000);
  CHECK(to("cvt.rni.s32.f32 %r20, %f10;", 0x40200000) == 2);  // 2.5
  CHECK(to("cvt.rpi.s32.f32 %r20, %f10;", 0x40200000) == 3);
}
