#include <tg/ptx/print/print_instruction.hpp>

#include <doctest/doctest.h>

#include <string>

#include "../everything.hpp"

using namespace tg::ptx;

TEST_CASE("registers are numbered in their class") {
  const module m = test::make_everything();
  detail::text_out out;
  detail::instruction_printer printer(m, out);
  const auto counts = printer.enter(m.functions[2]);
  CHECK(counts[0] == 2);  // pred
  CHECK(counts[3] == 2);  // b32
  CHECK(counts[6] == 2);  // f32
}

TEST_CASE("tables of targets have names of their own") {
  const module m = test::make_everything();
  detail::text_out out;
  detail::instruction_printer printer(m, out);
  printer.enter(m.functions[2]);
  for (const instruction& i : m.functions[2].body) {
    if (i.op != opcode::brx) continue;
    printer.put_targets(i);
    printer.put_instruction(i);
  }
  CHECK(out.take() == "$T0: .branchtargets $L1, $L2, $L0;\n\tbrx.idx %r0, $T0;");
}

TEST_CASE("an assumption is printed as an aside, guard and all") {
  module m;
  m.functions.emplace_back();
  m.functions[0].registers = {{token::pred}, {token::pred}};
  instruction i(opcode::assume, {}, {operand::reg(1)});
  i.guard = 0;
  i.guard_negated = true;
  detail::text_out out;
  detail::instruction_printer printer(m, out);
  printer.enter(m.functions[0]);
  printer.put_instruction(i);
  CHECK(out.take() == "\t//tg:@!%p0 assume %p1;");
}

TEST_CASE("a negated zero and the smallest numbers keep their bits") {
  module m;
  m.functions.emplace_back();
  m.functions[0].registers = {{token::f32}};
  const auto shown = [&](operand o) {
    detail::text_out out;
    detail::instruction_printer printer(m, out);
    printer.enter(m.functions[0]);
    printer.put_instruction({opcode::mov, {token::b32}, {operand::reg(0), o}});
    return out.take();
  };
  CHECK(shown(operand::f32(-0.0f)) == "\tmov.b32 %f0, 0f80000000;");
  CHECK(shown(operand::f64(-0.0)) == "\tmov.b32 %f0, 0d8000000000000000;");
  CHECK(shown(operand::integer(INT64_MIN)) == "\tmov.b32 %f0, -9223372036854775808;");
}
