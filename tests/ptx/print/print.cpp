#include <tg/ptx/print/print.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/parse/canonical.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/verify/verify.hpp>

#include "../everything.hpp"
#include "../ptxas.hpp"

using namespace tg::ptx;

namespace {

constexpr std::string_view saxpy = R"(.version 7.0
.target sm_75
.address_size 64

.file 1 "saxpy.cpp"

.visible .entry saxpy(
	.param .u64 x,
	.param .u64 y,
	.param .f32 a,
	.param .u32 n
)
.maxntid 256, 1, 1
{
	.reg .pred %p<1>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<5>;
	.reg .f32 %f<4>;

	.loc 1 7 0
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	mad.lo.s32 %r2, %r1, 256, %r0;
	.loc 1 8 0
	ld.param.u32 %r3, [n];
	setp.ge.u32 %p0, %r2, %r3;
	@%p0 bra $L0;
	.loc 1 9 0
	ld.param.u64 %rd0, [x];
	ld.param.u64 %rd1, [y];
	ld.param.f32 %f0, [a];
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd3, %rd0, %rd2;
	add.s64 %rd4, %rd1, %rd2;
	ld.global.nc.f32 %f1, [%rd3];
	ld.global.f32 %f2, [%rd4];
	fma.rn.f32 %f3, %f0, %f1, %f2;
	st.global.f32 [%rd4], %f3;
	.loc 1 10 0
$L0:
	ret;
}
)";

constexpr std::string_view everything = R"(.version 8.0
.target sm_90a
.address_size 64

.file 1 "kernel.cpp"
.file 2 "other.cpp"
.extern .func (.param .b32 result) vprintf(
	.param .b64 format,
	.param .b64 values
);
.func (.param .b32 out) twice(
	.param .b32 in
);
.visible .global .f32 scalar = 0f3F800000;
.global .u64 table[3] = {generic(scalar)+12, twice, 7};
.const .align 8 .u8 packed[10] = {9, 255, 0xFF(generic(scalar)+4), 0xFF00(generic(scalar)+4), 0xFF0000(generic(scalar)+4), 0xFF000000(generic(scalar)+4), 0xFF00000000(generic(scalar)+4), 0xFF0000000000(generic(scalar)+4), 0xFF000000000000(generic(scalar)+4), 0xFF00000000000000(generic(scalar)+4)};
.extern .shared .align 16 .b8 dynamic[];
.global .attribute(.managed) .b32 managed;
.const .f64 doubles[2] = {0d3FF0000000000000};

.func (.param .b32 out) twice(
	.param .b32 in
)
{
	.reg .b32 %r<1>;

	ld.param.b32 %r0, [in];
	shl.b32 %r0, %r0, 1;
	st.param.b32 [out], %r0;
	ret;
}

.visible .entry kernel(
	.param .align 8 .b8 block[32],
	.param .u64 pointer
)
.reqntid 64, 2, 1
.minnctapersm 2
.maxnreg 128
.reqnctapercluster 2, 1, 1
{
	.reg .pred %p<2>;
	.reg .b16 %rs<1>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<1>;
	.reg .b128 %rq<1>;
	.reg .f32 %f<2>;
	.reg .f64 %fd<1>;
	.shared .align 16 .f32 tile[32];
	.local .b32 spill[4];
	.param .b32 argument;
	.param .b32 answer;
	$P0: .callprototype (.param .b32 _x) _ (.param .b32 _x);

	.loc 1 3 0
	ld.param.b32 %r0, [block+12];
	ld.param.u64 %rd0, [pointer];
	mov.u32 %r1, tile;
	mov.f32 %f0, 0fBFC00000;
	mov.f64 %fd0, 0d3FB999999999999A;
	mov.pred %p1, 1;
	cvt.u16.u32 %rs0, %r0;
	setp.lt.and.s32 %p0|%p1, %r0, -7, !%p1;
	ld.global.v2.f32 {%f0, %f1}, [%rd0+-8];
	ld.global.v2.f32 {_, %f1}, [%rd0];
	mov.b64 %rd0, {%r0, %r1};
	mov.b128 %rq0, {%rd0, %rd0};
	@!%p0 st.shared.f32 [tile+4], %f0;
	st.local.u32 [spill+8], %r0;
	.loc 2 20 0
	st.param.b32 [argument], %r0;
	call.uni (answer), twice, (argument);
	ld.param.b32 %r0, [answer];
	call (answer), %rd0, (argument), $P0;
$T0: .calltargets twice;
	call (answer), %rd0, (argument), $T0;
	.loc 1 4 0
$L0:
	shfl.sync.idx.b32 %r0|%p0, %r1, 3, 31, -1;
$T1: .branchtargets $L1, $L2, $L0;
	brx.idx %r0, $T1;
$L1:
	bar.sync 0;
	@%p1 bra.uni $L0;
$L2:
	ret;
}
)";

}  // namespace

TEST_CASE("a kernel is printed byte for byte") {
  const module m = test::make_saxpy();
  CHECK_NOTHROW(verify(m));
  CHECK(print(m) == saxpy);
}

TEST_CASE("everything is printed byte for byte, and read back") {
  module m = test::make_everything();
  CHECK_NOTHROW(verify(m));
  CHECK(print(m) == everything);
  make_canonical(m);
  CHECK(parse(print(m)) == m);
}

TEST_CASE("each instruction is found on its line of the text") {
  const module m = test::make_everything();
  line_map lines;
  const std::string text = print(m, lines);
  CHECK(text == print(m));
  REQUIRE(lines.size() == m.functions.size());
  for (std::size_t f = 0; f < lines.size(); ++f) {
    if (m.functions[f].is_external) continue;
    REQUIRE(lines[f].size() == m.functions[f].body.size());
    for (std::size_t i = 0; i < lines[f].size(); ++i) {
      std::size_t begin = 0;
      for (std::uint32_t n = 1; n < lines[f][i]; ++n) begin = text.find('\n', begin) + 1;
      const std::string line = text.substr(begin, text.find('\n', begin) - begin);
      const instruction& one = m.functions[f].body[i];
      const std::string expected = one.op == opcode::label ? "$L" + std::to_string(one[0].id) + ":" : std::string(name(one.op));
      CHECK_MESSAGE(line.find(expected) != std::string::npos, expected, " in '", line, "'");
    }
  }
}

TEST_CASE("ptxas assembles the goldens for every target") {
  if (!test::has_ptxas()) {
    MESSAGE("ptxas is not there: skipped");
    return;
  }
  for (const char* target : {"sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    const test::verdict v = test::ask_ptxas(saxpy, target);
    CHECK_MESSAGE(v.accepted, target, "\n", v.log);
  }
  module m = test::make_everything();
  m.version = {8, 4};
  m.target_suffix = "";
  for (const char* target : {"sm_90", "sm_100", "sm_120"}) {
    const test::verdict v = test::ask_ptxas(print(m), target);
    CHECK_MESSAGE(v.accepted, target, "\n", v.log);
  }
}

TEST_CASE("what cannot be printed is refused") {
  const auto number_of = [](const module& m) {
    try {
      print(m);
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  module m = test::make_saxpy();
  CHECK(number_of(m) == 0);
  m.functions[0].name = "s\xc3\xa4xpy";
  CHECK(number_of(m) == 319);
  m.functions[0].name = "7up";
  CHECK(number_of(m) == 319);
  m.functions[0].name = "saxpy";
  m.functions[0].body[0].op = opcode::endif;
  CHECK(number_of(m) == 320);
}

TEST_CASE("a path that PTX cannot spell does not spoil the text") {
  module m = test::make_saxpy();
  m.files[1] = "dir/\"s\xc3\xa4x\\py\".cpp";
  const std::string text = print(m);
  CHECK(text.find(".file 1 \"dir/_s__x_py_.cpp\"") != std::string::npos);
  CHECK(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
}

TEST_CASE("an instruction alone is shown, markers too") {
  const module m = test::make_everything();
  const function& f = m.functions[2];
  CHECK(to_string(m, f, f.body[7]) == "setp.lt.and.s32 %p0|%p1, %r0, -7, !%p1;");
  CHECK(to_string(m, f, {opcode::endloop, {}, {!operand::reg(0)}}) == "<endloop> !%p0");
}
