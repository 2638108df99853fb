#include <tg/ptx/parse/parse_variable.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

#include "../everything.hpp"
#include "../ptxas.hpp"

using namespace tg::ptx;

namespace { module declared(const std::string& text){return parse(".version 8.0\n.target sm_90\n.address_size 64\n" + text); }
variable one(const std::string& text) { return declared(text).variables.at(0); }

}  // namespace

TEST_CASE("types, extents and alignment") {
  const variable v = one(".visible .global .align 16 .b8 v[4][8];");
  CHECK(v.space == token::global);
  CHECK(v.type == token::b8);
  CHECK(v.align == 16);
  CHECK(v.count == 32);
  CHECK(v.visible);
  CHECK(one(".global .align 4 .b32 v;").align == 0);  // that of the type
  CHECK(one(".extern .shared .align 16 .b8 v[];").count == -1);
  CHECK(one(".global .v4 .f32 v;").count == 4);
  CHECK(one(".global .v4 .f32 v[2];").count == 8);
  CHECK(one(".global .v4 .f32 v;").align == 16);
  CHECK(one(".global .attribute(.managed) .b32 v;").managed);
  CHECK(one(".weak .const .b32 v;").weak);
  CHECK(declared(".global .b32 a, b[2], c;").variables.size() == 3);
}

TEST_CASE("initial values nested, partial, and of every type") {
  CHECK(one(".global .u16 v[3] = {1, 0x203};").initial == test::bytes({1, 0, 3, 2}));
  CHECK(one(".global .b8 v[2][3] = {{1}, {2, 3}};").initial == test::bytes({1, 0, 0, 2, 3}));
  CHECK(one(".global .b8 v[] = {1, 2, 3, 0};").count == 4);
  CHECK(one(".global .f32 v = 1.5;").initial == test::bytes({0, 0, 0xc0, 0x3f}));
  CHECK(one(".global .f32 v = 2.0;").initial == test::bytes({0, 0, 0, 0x40}));
  CHECK(one(".global .f64 v = 0f3FC00000;").initial == test::bytes({0, 0, 0, 0, 0, 0, 0xf8, 0x3f}));
  CHECK(one(".global .s32 v = -2;").initial == test::bytes({0xfe, 0xff, 0xff, 0xff}));
  CHECK(one(".global .b32 v[4] = {0, 0};").initial.empty());  // zero is what there is without
}

TEST_CASE("addresses, in words and byte by byte") {
  const module m = declared(".func f() { ret; }\n.global .b32 a[4];\n.global .u64 v[3] = {5, generic(a)+8, f};\n"
                            ".global .u8 b[9] = {1, 0xFF(a-4), 0xFF00(a-4), 0xFF0000(a-4), 0xFF000000(a-4), 0xFF00000000(a-4), "
                            "0xFF0000000000(a-4), 0xFF000000000000(a-4), 0xFF00000000000000(a-4)};");
  const auto& words = m.variables[1].relocations;
  REQUIRE(words.size() == 2);
  CHECK(words[0].offset == 8);
  CHECK(words[0].generic);
  CHECK(words[0].target.value == 8);
  CHECK(words[1].target.kind == operand_kind::function);
  const auto& bytes = m.variables[2].relocations;
  REQUIRE(bytes.size() == 1);
  CHECK(bytes[0].offset == 1);
  CHECK(bytes[0].target.value == -4);
  CHECK(parse(print(m)) == m);
}

TEST_CASE("declarations that ptxas refuses are refused") {
  const struct {
    int number;
    const char *wrong, *right;
  } cases[] = {
      {307, ".const .b32 v[];", ".const .b32 v[] = {1, 2};"},
      {307, ".global .b32 v[];", ".extern .global .b32 v[];"},
      {307, ".shared .b32 v[];", ".extern .shared .b32 v[];"},
      {307, ".visible .global .b32 v[0];", ".visible .global .b32 v[1];"},
      {307, ".weak .global .b32 v[][4];", ".weak .global .b32 v[][4] = {{1}};"},
      {307, ".entry k() { .local .b32 v[]; ret; }", ".entry k() { .local .b32 v[1]; ret; }"},
      {307, ".entry k() { .shared .b32 v[]; ret; }", ".entry k() { .shared .b32 v[2][2]; ret; }"},
      {307, ".entry k(.param .b32 a[]) { ret; }", ".func k(.param .b32 a[]) { ret; }"},
      {307, ".entry k(.param .b32 a[2][2]) { ret; }", ".entry k(.param .b32 a[4]) { ret; }"},
      {307, ".entry k(.param .v2 .b32 a) { ret; }", ".entry k(.param .v2 .b32 a[1]) { ret; }"},
      {307, ".entry k(.param .f16x2 a) { ret; }", ".entry k(.param .f16 a) { ret; }"},
      {300, ".entry k(.reg .b32 a) { ret; }", ".func k(.reg .b32 a) { ret; }"},
      {307, ".func k(.reg .b32 a[2]) { ret; }", ".func k(.reg .v2 .b32 a) { ret; }"},
      {307, ".func (.param .b32 a[]) k() { ret; }", ".func (.param .b32 a[2]) k() { ret; }"},
      {301, ".global .v8 .b16 v;", ".global .v4 .b16 v;"},
      {307, ".global .v4 .u64 v;", ".global .v2 .u64 v;"},
      {307, ".entry k() { .reg .v2 .pred p; ret; }", ".entry k() { .reg .pred p; ret; }"},
      {301, ".global .bf16 v;", ".global .f16 v;"},
      {301, ".entry k() { .reg .tf32 r; ret; }", ".entry k() { .reg .f16x2 r; ret; }"},
      {300, ".global .b32 .align 4 v;", ".global .align 4 .b32 v;"},
      {304, ".global .u32 v = 1.0;", ".global .u32 v = 1;"},
      {304, ".global .f32 v = 1;", ".global .f32 v = 1.0;"},
      {307, ".global .f16 v = 0x3c00;", ".global .b16 v = 0x3c00;"},
      {300, ".global .b8 v[2][3] = {1, 2, 3, 4};", ".global .b8 v[2][3] = {{1, 2, 3}, {4}};"},
      {300, ".global .b8 v[2] = {1,};", ".global .b8 v[2] = {1};"},
      {300, ".global .b8 v[1+1];", ".global .b8 v[WARP_SZ];"},
      {307, ".shared .b32 s; .global .u64 v = s;", ".global .b32 s; .global .u64 v = s;"},
      {303, ".extern .global .u32 v; .global .u32 v;", ".extern .global .u32 v; .visible .global .u32 v;"},
      {303, ".extern .global .u32 v; .visible .global .u64 v;", ".extern .global .u32 v; .weak .global .u32 v;"},
      {305, ".visible .weak .global .u32 v;", ".weak .global .u32 v;"},
      {300, ".const[2] .u32 v;", ".const .u32 v;"},
      {303, ".entry k() { .reg .b32 %r<9>; .reg .b32 %r1; ret; }", ".entry k() { .reg .b32 %r<9>; .reg .b32 %r9; ret; }"},
      {300, ".entry k() { .reg .b32 _; ret; }", ".entry k() { .reg .b32 _a; ret; }"},
      {304, ".entry k() { .reg .b32 r; mov.u32 r, 1u; ret; }", ".entry k() { .reg .b32 r; mov.u32 r, 1U; ret; }"},
      {307, ".entry k() .maxntid 32 .reqntid 32 { ret; }", ".entry k() .maxntid 32 { ret; }"},
      {307, ".func k() .maxntid 32 { ret; }", ".func k() .noreturn { ret; }"},
      {307, ".func (.reg .b32 r) k() .noreturn { ret; }", ".func (.reg .b32 r) k() { ret; }"},
      {305, ".entry k() .noreturn { ret; }", ".entry k() { ret; }"},
  };
  for (const auto& c : cases) {
    CAPTURE(std::string(c.wrong));
    int number = 0;
    try {
      declared(c.wrong);
    } catch (const tg::error& e) { number = static_cast<int>(e.code()); }
    CHECK_EQ(number, c.number);
    CHECK_NOTHROW(declared(c.right));
    if (test::has_ptxas()) {
      // What is only declared elsewhere is not there to be linked.
      const auto asks = [](const char* text) {
        return test::ask_ptxas(".version 8.0\n.target sm_90\n.address_size 64\n" + std::string(text), "sm_90 -c").accepted;
      };
      CHECK_FALSE(asks(c.wrong));
      CHECK(asks(c.right));
    }
  }
}

TEST_CASE("variables of functions are the module's, under names of their own") {
  const module m = declared(".global .b32 v;\n.entry k() { .reg .b32 r; .global .b32 v = 7; .const .b32 c[2] = {1, 2};\n"
                            "ld.global.b32 r, [v]; { .global .b32 v; st.global.b32 [v], r; } ld.const.b32 r, [c+4]; ret; }\n"
                            ".global .u64 c = v;");
  REQUIRE(m.variables.size() == 5);
  CHECK(m.variables[1].name == "v_1");
  CHECK(m.variables[1].initial == test::bytes({7, 0, 0, 0}));
  CHECK(m.variables[2].name == "c_1");
  CHECK(m.variables[3].name == "v_2");
  CHECK(m.variables[4].name == "c");
  const function& k = m.functions[0];
  CHECK(k.body[0][1].id == 1);
  CHECK(k.body[1][0].id == 3);
  CHECK(k.body[2][1].id == 2);
  CHECK(parse(print(m)) == m);
}

TEST_CASE("an external declaration is filled by its definition") {
  const module m =
      declared(".extern .global .b32 v;\n.visible .global .b32 v = 5;\n.extern .shared .b8 s[]; .extern .shared .b8 s[];");
  REQUIRE(m.variables.size() == 2);
  CHECK_FALSE(m.variables[0].external);
  CHECK(m.variables[0].initial == test::bytes({5, 0, 0, 0}));
}

TEST_CASE("wrong declarations are refused") {
  for (const char* text : {".global v;", ".global .b32;", ".global .b32 v[;", ".global .b32 v[2][];", ".global .b32 v = {1};",
                           ".global .b32 v[2] = 1;", ".global .b32 v[1] = {{1}};", ".global .b32 v; .global .b32 v;",
                           ".global .u32 v = v;", ".global .u8 v[2] = {0xFF00(v)};", ".global .b32 v[1.5];",
                           ".global .b8 v[99999999999999][99999999];", ".global .b8 v[2][1000000000] = {{1}, {1}};"})
    CHECK_THROWS_AS(declared(text), tg::error);
}
