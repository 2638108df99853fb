#include <tg/ptx/parse/canonical.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

#include "../everything.hpp"

using namespace tg::ptx;

TEST_CASE("what prints alike becomes equal") {
  module a = test::make_everything(), b = a;
  function& f = b.functions[2];
  // Another numbering of the same registers, labels and files, and a register no one uses.
  f.registers.insert(f.registers.begin(), {token::f64});
  const auto move = [](operand& o) {
    if (o.uses_reg()) ++o.id;
    if (o.kind == operand_kind::label) o.id = 2 - o.id;
  };
  for (instruction& i : f.body) {
    if (i.is_guarded()) ++i.guard;
    for (operand& o : i.operands()) move(o);
    if (i.where.file != 0) i.where.file = 3 - i.where.file;
  }
  for (operand& o : f.elements) move(o);
  std::swap(b.files[1], b.files[2]);
  CHECK_FALSE(a == b);
  make_canonical(a);
  make_canonical(b);
  CHECK(a == b);
  CHECK(print(a) == print(b));
}

TEST_CASE("it changes nothing twice") {
  module m = test::make_everything();
  make_canonical(m);
  module again = m;
  make_canonical(again);
  CHECK(again == m);
}

TEST_CASE("functions that are only declared come first, and calls follow them") {
  module m = test::make_everything();
  std::rotate(m.functions.begin(), m.functions.begin() + 1, m.functions.end());  // twice, kernel, vprintf
  for (instruction& i : m.functions[1].body)
    for (operand& o : i.operands())
      if (o.is(operand_kind::function)) o.id = 0;
  for (operand& o : m.functions[1].elements)
    if (o.is(operand_kind::function)) o.id = 0;
  for (variable& v : m.variables)
    for (auto& r : v.relocations)
      if (r.target.is(operand_kind::function)) r.target.id = 0;
  module expected = test::make_everything();
  make_canonical(m);
  make_canonical(expected);
  CHECK(m == expected);
}

TEST_CASE("numbers take the width of their operand") {
  module m = parse(
      ".version 7.0\n.target sm_80\n.entry k() { .reg .b32 %r<2>; .reg .f32 %f<2>; .reg .f64 %d<2>; .reg .b64 %l<2>;\n"
      "mov.u32 %r0, 4294967295; mov.f32 %f0, 1.5; mov.f64 %d0, 0f3FC00000; shl.b64 %l0, %l1, 4294967295;\n"
      "mul.wide.u32 %l0, %r0, 0x80000000; add.s64 %l0, %l0, 4294967295; }");
  const auto& body = m.functions[0].body;
  CHECK(body[0][1] == operand::integer(-1));
  CHECK(body[1][1] == operand::f32(1.5f));
  CHECK(body[2][1] == operand::f64(1.5));
  CHECK(body[3][2] == operand::integer(-1));
  CHECK(body[4][2] == operand::integer(-2147483648LL));
  CHECK(body[5][2] == operand::integer(4294967295LL));
}

TEST_CASE("an instruction without a place has that of the one before") {
  module m = test::make_saxpy();
  for (std::size_t i = 4; i < m.functions[0].body.size(); ++i) m.functions[0].body[i].where = {};
  make_canonical(m);
  CHECK(m.functions[0].body.back().where.line == 8);
  CHECK(parse(print(m)) == m);
}
