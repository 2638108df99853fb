#include <tg/ptx/parse/parse_function.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

#include "../body_text.hpp"

using namespace tg::ptx;
using tg::ptx::test::text_of;

namespace {

function body_of(const std::string& text) {
  return parse(".version 8.0\n.target sm_90\n.address_size 64\n.global .b32 x[4];\n.func callee(.param .b32 a) { ret; }\n"
               ".visible .entry k(.param .u64 in, .param .align 8 .b8 block[32]) {\n" +
               text + "\n}\n")
      .functions.back();
}

}  // namespace

TEST_CASE("scopes may shadow registers, variables and labels") {
  const function f = body_of(".reg .b32 r; .param .b32 x; mov.b32 r, 1;\n"
                             "{ .reg .b32 r; .param .b32 x; mov.b32 r, 2; l: bra l; }\n"
                             "{ .reg .f32 r; mov.f32 r, 0f00000000; l: bra l; }\nmov.b32 r, 3;");
  REQUIRE(f.body.size() == 8);
  CHECK(f.body[0][0] == f.body[7][0]);
  CHECK(f.body[0][0] != f.body[1][0]);
  CHECK(f.registers[f.body[4][0].id].type == token::f32);
  CHECK(f.body[3][0].id == f.body[2][0].id);
  CHECK(f.body[6][0].id == f.body[5][0].id);
  CHECK(f.body[3][0].id != f.body[6][0].id);
  REQUIRE(f.locals.size() == 2);
  CHECK(f.locals[0].name == "x_1");  // `x` is a variable of the module
  CHECK(f.locals[1].name == "x_2");
}

TEST_CASE("operands of every kind") {
  const function f = body_of(".reg .pred p, q; .reg .b32 r<4>; .reg .b64 d; .reg .v2 .b32 v;\n"
                             "setp.lt.and.s32 p|q, r0, WARP_SZ, !p;\n"
                             "ld.global.v2.b32 {r1, _}, [d+4];\n"
                             "ld.global.v2.b32 v, [d+-4];\n"
                             "add.s32 r0, v.x, v.y;\n"
                             "mov.u64 d, x+8;\n"
                             "ld.param.b32 r0, [block+12];\n"
                             "mov.u32 r0, %ntid.y;\n"
                             "ld.shared.b32 r0, [64];\n"
                             "@!p mov.b32 r0, (1 << 4) | 3;");
  const auto& b = f.body;
  CHECK(b[0][0].kind == operand_kind::pair);
  CHECK(b[0][2] == operand::integer(32));
  CHECK(b[0][3].negated);
  CHECK(f.parts(b[1][0])[1].kind == operand_kind::sink);
  CHECK(b[1][1].value == 4);
  CHECK(b[2][0].kind == operand_kind::vector);
  CHECK(b[2][1].value == -4);
  CHECK(b[3][1] == f.parts(b[2][0])[0]);
  CHECK(b[3][2] == f.parts(b[2][0])[1]);
  CHECK(b[4][1].kind == operand_kind::variable);
  CHECK(b[4][1].value == 8);
  CHECK(b[5][1].base == operand_kind::param);
  CHECK(b[5][1].id == 1);
  CHECK(b[6][1] == operand::special(special::ntid_y));
  CHECK(b[7][1].base == operand_kind::none);
  CHECK(b[7][1].value == 64);
  CHECK(b[8].guard_negated);
  CHECK(b[8][1] == operand::integer(19));
}

TEST_CASE("modifiers are put into the manual's order") {
  const function f = body_of(".reg .b64 d; .reg .b32 r; atom.add.release.gpu.u32 r, [d], 5;");
  CHECK(f.body[0].token_array[0] == token::release);
  CHECK(f.body[0].token_array[2] == token::add);
}

TEST_CASE("what is assumed stands in an aside, and is read back from it") {
  const std::string text =
      ".version 6.0\n.target sm_50\n.address_size 64\n\n\n.visible .entry k()\n{\n\t.reg .pred %p<2>;\n\n"
      "\tsetp.eq.u32 %p0, 1, 2;\n\tsetp.eq.u32 %p1, 1, 1;\n\t//tg:@!%p0 assume %p1;\n\t//tg:assume %p1;\n\tret;\n}\n";
  const module m = parse(text);
  CHECK(m.functions[0].body[2].op == opcode::assume);
  CHECK(print(m) == text);
  CHECK(parse(print(m)) == m);
}

TEST_CASE("a number may be added to an integer register that is read") {
  CHECK_EQ(text_of("@p st.global.u32 [d], r1+1;"), "add.s32 %r0, %r1, 1; @%p0 st.global.u32 [%rd0], %r0; ");
  CHECK_EQ(text_of("mad.lo.u32 r0, r1+1, r2+(2-4), r3;"),
           "add.s32 %r0, %r1, 1; add.s32 %r2, %r3, -2; mad.lo.u32 %r4, %r0, %r2, %r5; ");
  CHECK_EQ(text_of("st.global.u16 [d], h + 2;"), "add.s16 %rs0, %rs1, 2; st.global.u16 [%rd0], %rs0; ");
  for (const char* text : {"add.u32 r0+1, r1, r2;", "mov.u32 r0, r1-1;", "mov.f32 f, f+1;", "mov.u32 r0, r1+r2;",
                           "mov.b64 d, {r0+1, r1};", "mov.u32 r0, v1.x+1;", "mov.u32 r0, r1+1.0;"})
    CHECK_THROWS_AS_MESSAGE(text_of(text), tg::error, text);
}
