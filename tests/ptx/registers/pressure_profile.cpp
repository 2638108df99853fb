#include <tg/ptx/registers/pressure_profile.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

// Line 3 has three values of 32 bits and one of 64 at once, line 1 one fewer.
constexpr const char* text = R"(
.version 7.0
.target sm_80
.address_size 64
.file 1 "k.cpp"
.visible .entry k(.param .u64 k_param_0)
{
.reg .b32 %r<4>;
.reg .b64 %rd<2>;
.loc 1 1 0
ld.param.u64 %rd1, [k_param_0];
ld.global.u32 %r1, [%rd1];
.loc 1 2 0
ld.global.u32 %r2, [%rd1+4];
.loc 1 3 0
add.u32 %r3, %r1, %r2;
st.global.u32 [%rd1], %r1;
.loc 1 2 0
st.global.u32 [%rd1+4], %r2;
.loc 1 4 0
st.global.u32 [%rd1+8], %r3;
ret;
}
)";

}  // namespace

TEST_CASE("each line has the pressure of its dearest instruction") {
  const module m = parse(text);
  const pressure_profile p = profile_pressure(m.functions[0]);
  REQUIRE(p.instructions.size() == m.functions[0].body.size());
  REQUIRE(p.lines.size() == 4);
  CHECK(p.instructions[0] == 2);
  CHECK(p.lines[0].registers == 3);
  CHECK(p.lines[1].registers == 4);
  CHECK(p.lines[2].registers == 5);
  CHECK(p.lines[3].registers == 3);
  CHECK(p.lines[2].where.line == 3);
  CHECK(p.lines[2].instruction == 3);
  CHECK(p.lines[1].instruction == 2);
  CHECK(p.peak.registers == 5);
  CHECK(p.peak.where.line == 3);
}

TEST_CASE("one value less is one register less") {
  std::string less = text;
  less.replace(less.find("[%rd1+8], %r3"), 13, "[%rd1+8], 7");
  less.replace(less.find("add.u32 %r3, %r1, %r2;"), 22, "");
  CHECK(profile_pressure(parse(less).functions[0]).peak.registers == 4);
}
