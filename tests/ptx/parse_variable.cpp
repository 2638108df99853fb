#include <tg/ptx/parse_variable.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tg/ptx/parse.hpp>

#include "everything.hpp"

using namespace tg::ptx;

namespace {

module declared(const std::string& text) { return parse(".version 8.0\n.target sm_90\n.address_size 64\n" + text); }
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
  CHECK(one(".global .b8 v[2][3] = {1, 2, 3, 4};").initial == test::bytes({1, 2, 3, 4}));
  CHECK(one(".global .b8 v[] = {1, 2, 3, 0};").count == 4);
  CHECK(one(".global .f32 v = 1.5;").initial == test::bytes({0, 0, 0xc0, 0x3f}));
  CHECK(one(".global .f32 v = 2;").initial == test::bytes({0, 0, 0, 0x40}));
  CHECK(one(".global .f64 v = 0f3FC00000;").initial == test::bytes({0, 0, 0, 0, 0, 0, 0xf8, 0x3f}));
  CHECK(one(".global .s32 v = -2;").initial == test::bytes({0xfe, 0xff, 0xff, 0xff}));
  CHECK(one(".global .b32 v[4] = {0, 0};").initial.empty());  // zero is what there is without
}

TEST_CASE("addresses, in words and byte by byte") {
  const module m = declared(
      ".func f() { ret; }\n.global .b32 a[4];\n.global .u64 v[3] = {5, generic(a)+8, f};\n"
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

TEST_CASE("an external declaration is filled by its definition") {
  const module m = declared(
      ".extern .global .b32 v;\n.visible .global .b32 v = 5;\n.extern .shared .b8 s[]; .extern .shared .b8 s[];");
  REQUIRE(m.variables.size() == 2);
  CHECK_FALSE(m.variables[0].external);
  CHECK(m.variables[0].initial == test::bytes({5, 0, 0, 0}));
}

TEST_CASE("wrong declarations are refused") {
  for (const char* text :
       {".global v;", ".global .b32;", ".global .b32 v[;", ".global .b32 v[2][];", ".global .b32 v = {1};",
        ".global .b32 v[2] = 1;", ".global .b32 v[1] = {{1}};", ".global .b32 v; .global .b32 v;",
        ".global .u32 v = v;", ".global .u8 v[2] = {0xFF00(v)};", ".global .b32 v[1.5];",
        ".global .b8 v[99999999999999][99999999];", ".global .b8 v[2][1000000000] = {{1}, {1}};"})
    CHECK_THROWS_AS(declared(text), tg::error);
}
