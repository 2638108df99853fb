#include <tg/ptx/verify/verify.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include <tg/ptx/parse/parse.hpp>

#include "../everything.hpp"

using namespace tg::ptx;

namespace {

int number_of(const module& m) {
  try {
    verify(m);
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

/// A kernel of one block with these lines; the label lets registers be read that nothing wrote.
module kernel(const std::string& body) {
  return parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.global .b32 in_global[4];\n.const .b32 in_const[4];\n"
      ".func f(.param .b32 a) { ret; }\n.func g(.param .b32 a) { ret; }\n.visible .entry k(.param .u64 in) {\n"
      ".reg .pred %p<4>; .reg .b8 %c<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %l<4>; .reg .f32 %f<4>;\n"
      ".reg .f64 %d<4>; .reg .b128 %q<2>; .shared .align 16 .b32 tile[8]; .param .b32 q;\nlabelled:\n" +
      body + "\nret;\n}\n");
}  // namespace

struct pair {
  int number;
  std::string wrong, right;
};

}  // namespace

TEST_CASE("each wrong instruction is found, and its clean twin passes") {
  const pair cases[] = {
      // forms
      {310, "add.sat.u32 %r0, %r1, %r2;", "add.sat.s32 %r0, %r1, %r2;"},
      {310, "cvt.rn.f32.f16 %f0, %h0;", "cvt.f32.f16 %f0, %h0;"},
      {310, "ld.global.f16 %h0, [%l0];", "ld.global.b16 %h0, [%l0];"},
      {310, "ld.global.v4.b64 {%l0, %l1, %l2, %l3}, [%l0];", "ld.global.v2.b64 {%l0, %l1}, [%l0];"},
      {310, "shfl.idx.b32 %r0, %r1, 0, 31;", "shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;"},
      // numbers of operands and their kinds
      {311, "add.s32 %r0, %r1;", "add.s32 %r0, %r1, %r2;"},
      {311, "add.s32 5, %r1, %r2;", "add.s32 %r0, 5, %r2;"},
      {311, "add.f32 %f0, %f1, 1;", "add.f32 %f0, %f1, 1.0;"},
      {311, "add.f16 %h0, %h1, 0x3c00;", "add.f16 %h0, %h1, %h2;"},
      {311, "add.s32 %r0, %tid.x, 1;", "mov.u32 %r0, %tid.x;"},
      {311, "add.s32 %r0, -%r1, 1;", "add.s32 %r0, %r1, 1;"},
      {311, "ld.global.b32 %r0, %l0;", "ld.global.b32 %r0, [%l0];"},
      {311, "st.global.b32 [%l0], tile;", "st.global.b32 [%l0], 5;"},
      {311, "ld.global.v2.b32 %r0, [%l0];", "ld.global.v2.b32 {%r0, %r1}, [%l0];"},
      {311, "ld.global.v2.b32 {%r0, %r1, %r2}, [%l0];", "ld.global.v2.b32 {%r0, _}, [%l0];"},
      {311, "st.global.v2.b32 [%l0], {%r0, _};", "st.global.v2.b32 [%l0], {%r0, 5};"},
      {311, "add.s32 %r0|%p0, %r1, %r2;", "shfl.sync.idx.b32 %r0|%p0, %r1, 0, 31, -1;"},
      {311, "elect.sync %r0, -1;", "elect.sync %r0|%p0, -1;"},
      {311, "setp.lt.f16 %p0|%p1, %h0, %h1;", "setp.lt.f16 %p0, %h0, %h1;"},
      {311, "add.s32 _, %r1, %r2;", "atom.global.add.u32 _, [%l0], %r2;"},
      {311, "lop3.b32 %r0, %r1, %r2, %r3, %r4;", "lop3.b32 %r0, %r1, %r2, %r3, 0x80;"},
      {311, "mov.b64 %l0, {%r0, %r1, %r2};", "mov.b64 %l0, {%r0, %r1};"},
      {311, "mov.u64 %l0, {%r0, %r1};", "mov.b64 {%r0, _}, %l0;"},
      {311, "mov.u16 %h0, tile;", "mov.u32 %r0, tile;"},
      {311, "bar.arrive 1;", "bar.arrive 1, 64;"},
      {311, "call f, (%r0, %r1);", "call f, (%r0);"},
      {311, "call k, (%l0);", "call f, (5);"},
      {311, "call %l0, (%r0);", "{ t: .calltargets f, g; call %l0, (%r0), t; }"},
      {311, "{ t: .callprototype _ (.param .b32 a, .param .b32 b); call %l0, (%r0), t; }",
       "{ t: .callprototype _ (.param .b32 a); call %l0, (%r0), t; }"},
      {311, "cp.async.cg.shared.global [tile], [%l0], 8;", "cp.async.ca.shared.global [tile], [%l0], 8;"},
      {311, "cp.async.ca.shared.global [tile], [%l0], 12;", "cp.async.cg.shared.global [tile], [%l0], 16;"},
      // types of registers
      {312, "add.s32 %r0, %l1, %r2;", "add.s64 %l0, %l1, %l2;"},
      {312, "add.s32 %f0, %r1, %r2;", "add.f32 %r0, %f1, %r2;"},
      {312, "mov.u32 %r0, %f0;", "mov.b32 %r0, %f0;"},
      {312, "mov.b16 %c0, %h0;", "ld.global.u8 %c0, [%l0];"},
      {312, "ld.global.u32 %h0, [%l0];", "ld.global.u8 %h0, [%l0];"},
      {312, "ld.global.u16 %f0, [%l0];", "ld.global.b16 %f0, [%l0];"},
      {312, "ld.global.u32 %r0, [%r1];", "ld.shared.u32 %r0, [%r1];"},
      {312, "ld.shared.u32 %r0, [%f1];", "ld.shared.u32 %r0, [%l1];"},
      {312, "shl.b64 %l0, %l1, %l2;", "shl.b64 %l0, %l1, %r2;"},
      {312, "mul.wide.s32 %r0, %r1, %r2;", "mul.wide.s32 %l0, %r1, %r2;"},
      {312, "setp.lt.s32 %r0, %r1, %r2;", "setp.lt.s32 %p0, %r1, %r2;"},
      {312, "selp.b32 %r0, %r1, %r2, %r3;", "selp.b32 %r0, %r1, %r2, !%p0;"},
      {312, "cvt.u32.f32 %r0, %r1; cvt.rzi.u32.f32 %r0, %h1;", "cvt.rzi.u32.f32 %r0, %f1;"},
      {312, "mov.b64 %l0, {%h0, %h1};", "mov.b32 %r0, {%h0, %h1};"},
      {312, "mov.u32 %r0, %clock64;", "mov.u64 %l0, %clock64;"},
      {312, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%f0, %f1}, {%r0, %l0}, {%r0}, {%r0, %r1};",
       "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r0, %r1}, {%r0}, {%r0, %r1};"},
      // addresses
      {318, "ld.global.b32 %r0, [tile];", "ld.shared.b32 %r0, [tile];"},
      {318, "ld.shared.b32 %r0, [in_global];", "ld.global.b32 %r0, [in_global+4];"},
      {318, "ld.global.b32 %r0, [in_const];", "ld.const.b32 %r0, [in_const];"},
      {318, "ld.global.b64 %l0, [in];", "ld.param.b64 %l0, [in];"},
      {318, "ld.b64 %l0, [in];", "ld.b32 %r0, [in_global];"},
      {318, "ld.global.b32 %r0, [%l0+2147483648];", "ld.global.b32 %r0, [%l0+-2147483648];"},
      {318, "cp.async.ca.shared.global [in_global], [%l0], 4;", "cp.async.ca.shared.global [tile], [in_global], 4;"},
  };
  for (const pair& c : cases) {
    CAPTURE(c.wrong);
    CAPTURE(c.right);
    module wrong = kernel(c.wrong), right = kernel(c.right);
    const int found = number_of(wrong);
    if (c.wrong.starts_with("cvt.u32.f32")) CHECK(found == 310);
    else CHECK(found == c.number);
    CHECK_NOTHROW(verify(right));
  }
}

TEST_CASE("the message shows the instruction, its place and what is expected") {
  module m = test::make_saxpy();
  m.functions[0].body[2][1] = operand::f32(1.0f);
  CHECK_THROWS_WITH_AS(verify(m),
                       "TG311: 'mad.lo.s32 %r2, 0f3F800000, 256, %r0;' in saxpy: operand 2 should be a value of type .s32 "
                       "(mad.{lo|hi}.{INT} d,a,b,c) (saxpy.cpp:7)",
                       tg::error);
  m = kernel("add.sat.u32 %r0, %r1, %r2;");
  CHECK_THROWS_WITH_AS(verify(m), doctest::Contains("there is add.{INT} d,a,b, add.cc.{u32|s32|u64|s64} d,a,b"), tg::error);
}

TEST_CASE("an instruction that cannot be printed is named, the last opcode too") {
  module m = kernel("xor.b32 %r0, %r1, %r2;");
  m.functions.back().body[1][1].id = 99;
  CHECK_THROWS_WITH_AS(verify(m), doctest::Contains("TG317: 'xor' in k: names a register"), tg::error);
}

TEST_CASE("a module that does not hang together is found") {
  const auto broken = [](const std::function<void(module&, function&)>& change) {
    module m = test::make_everything();
    change(m, m.functions[2]);
    return number_of(m);
  };
  CHECK(broken([](module&, function&) {}) == 0);
  CHECK(broken([](module&, function& f) { f.body[0][0].id = 99; }) == 317);
  CHECK(broken([](module&, function& f) { f.body[0].guard = 99; }) == 317);
  CHECK(broken([](module&, function& f) { f.body[0].guard = 3; }) == 312);
  CHECK(broken([](module&, function& f) { f.body[0].where.file = 9; }) == 317);
  CHECK(broken([](module&, function& f) { f.body[0][1].base = operand_kind::special; }) == 317);
  CHECK(broken([](module&, function& f) { f.body[0].add(operand{}); }) == 317);
  CHECK(broken([](module&, function& f) { f.body[7][0].value = 3; }) == 317);
  CHECK(broken([](module&, function& f) { f.elements[0].kind = operand_kind::vector; }) == 317);
  CHECK(broken([](module&, function& f) { f.elements[0].id = 1000; }) == 317);
  CHECK(broken([](module&, function& f) { f.label_count = 2; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[1].relocations[0].target.id = 99; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[1].relocations[0].target.id = 1; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[1].relocations[0].offset = 20; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[1].type = token::b64; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[0].align = 3; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[0].type = token::pred; }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[3].initial.resize(4); }) == 317);
  CHECK(broken([](module& m, function&) { m.variables[0].name = "a b"; }) == 319);
  CHECK(broken([](module& m, function&) { m.variables[0].name = "twice"; }) == 303);
  CHECK(broken([](module&, function& f) { f.locals[0].name = "pointer"; }) == 303);
  CHECK(broken([](module&, function& f) { f.body.push_back({opcode::tex, {token::_2d}, {}}); }) == 316);
  CHECK(broken([](module&, function& f) { f.body.push_back({opcode::none, {}, {}}); }) == 317);
}

TEST_CASE("vmad negates its product or c, and nothing with .po") {
  const auto vmad = [](const std::string& rest) { return number_of(kernel("vmad.s32.u32.u32" + rest)); };
  CHECK(vmad(" %r0, -%r1, %r2, %r3;") == 0);
  CHECK(vmad(" %r0, %r1.h0, -%r2.b3, %r3;") == 0);
  CHECK(vmad(" %r0, -%r1, -%r2, -%r3;") == 0);
  CHECK(vmad(" %r0, -%r1, %r2, -%r3;") == 311);
  CHECK(vmad(".po %r0, %r1, %r2, -%r3;") == 311);
  CHECK(vmad(".po %r0, %r1, %r2, %r3;") == 0);
  CHECK(number_of(kernel("vadd.s32.u32.u32 %r0, -%r1, %r2;")) == 311);
  const module m = kernel("vmad.s32.u32.u32 %r0, -%r1, %r2.b1, %r3;");
  CHECK(parse(print(m)) == m);
}

TEST_CASE("registers that nothing wrote are read only where that is allowed") {
  const module m = parse(".version 8.0\n.target sm_90\n.entry k() { .reg .b32 %r<2>; add.u32 %r0, %r1, 1; ret; }");
  CHECK(number_of(m) == 315);
  verify(m, unwritten_reads::allowed);
}
