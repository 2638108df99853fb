#include <tg/ptx/registers/liveness.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/passes/flatten.hpp>

namespace {

using namespace tg::ptx;

struct sketch {
  module m;
  builder b;
  sketch() : m{}, b((m.functions.emplace_back(), m), 0) {}

  operand load(token type) { return b.compute(type, opcode::ld, {token::param, type}, {param()}); }
  operand add(operand x, operand y, token type = token::u32) { return b.compute(type, opcode::add, {type}, {x, y}); }
  void store(operand v, token type = token::u32) {
    b.emit(opcode::st, {token::global, type}, {operand::address(operand::integer(0)), v});
  }
  static operand param() { return operand::address(operand::named(operand_kind::param, 0)); }

  liveness measure() {
    flatten(b.fn());
    return liveness(b.fn());
  }
};

}  // namespace

TEST_CASE("pressure counts what is live together, in 32-bit registers") {
  sketch s;
  const operand a = s.load(token::u32), b = s.load(token::u64), c = s.load(token::f16);
  s.b.at({"k.cpp", 7});
  const operand d = s.load(token::f64);  // a, b, c, d: 1 + 2 + 1 + 2
  s.b.at({"k.cpp", 8});
  s.store(a), s.store(b, token::u64), s.store(c, token::b16), s.store(d, token::f64);
  const liveness live = s.measure();
  CHECK(live.peak().registers == 6);
  CHECK(live.peak().b32 == 1);
  CHECK(live.peak().b64 == 1);
  CHECK(live.peak().b16 == 1);
  CHECK(live.peak().f64 == 1);
  CHECK(live.peak().where.line == 7);
  CHECK(live.peak().instruction == 3);
  CHECK(live.ranges()[a.id].first == 0);
  CHECK(live.ranges()[a.id].last == 4);
}

TEST_CASE("values that follow each other need one register, however many were made") {
  sketch s;
  operand x = s.load(token::u32);
  for (int k = 0; k < 50; ++k) x = s.add(x, operand::integer(k));
  s.store(x);
  const liveness live = s.measure();
  CHECK(live.peak().registers == 1);
  CHECK(s.b.fn().registers.size() == 51);
}

TEST_CASE("a result nobody reads still needs its register for a moment") {
  sketch s;
  const operand a = s.load(token::u32);
  s.load(token::u64);
  s.store(a);
  CHECK(s.measure().peak().registers == 3);
}

TEST_CASE("a value used after a loop lives through it, one used before does not") {
  sketch s;
  const operand before = s.load(token::u32), after = s.load(token::u32);
  const operand i = operand::reg(s.b.fn().new_register(token::u32));
  s.b.emit(opcode::mov, {token::u32}, {i, before});
  s.b.emit(opcode::loop, {}, {});
  s.b.emit(opcode::add, {token::u32}, {i, i, operand::integer(1)});
  const operand wide = s.b.compute(token::u64, opcode::cvt, {token::u64, token::u32}, {i});
  s.store(wide, token::u64);
  const operand p = s.b.compute(token::pred, opcode::setp, {token::lt, token::u32}, {i, operand::integer(9)});
  s.b.emit(opcode::endloop, {}, {p});
  s.store(after);
  const liveness live = s.measure();
  CHECK(live.peak().registers == 4);  // i, after, wide
  CHECK(live.most_predicates() == 1);
  CHECK(live.ranges()[before.id].last == 2);
  CHECK(live.ranges()[after.id].first == 1);
  CHECK(live.ranges()[after.id].last == 9);
  CHECK(live.ranges()[i.id].last == 8);  // the back branch
  CHECK_FALSE(live.is_read_unwritten(i.id));
}

TEST_CASE("a guarded write keeps the old value, except when there is none") {
  sketch s;
  const operand a = s.load(token::u32);
  const operand p = s.b.compute(token::pred, opcode::setp, {token::lt, token::u32}, {a, operand::integer(9)});
  const operand v = operand::reg(s.b.fn().new_register(token::u32));
  s.b.emit(opcode::mov, {token::u32}, {v, a});
  for (int k = 0; k < 3; ++k) s.store(a);
  instruction& guarded = s.b.emit(opcode::add, {token::u32}, {v, v, operand::integer(1)});
  guarded.guard = p.id;
  const operand once = s.load(token::u32);
  s.b.fn().body.back().guard = p.id;
  s.store(v), s.store(once);
  const liveness live = s.measure();
  CHECK(live.ranges()[v.id].first == 2);
  CHECK(live.ranges()[v.id].last == 8);
  CHECK(live.ranges()[once.id].first == 7);
  CHECK_FALSE(live.is_read_unwritten(once.id));
}

TEST_CASE("a read that no path has written before is found") {
  sketch s;
  const operand v = operand::reg(s.b.fn().new_register(token::u32));
  const operand p = s.b.compute(token::pred, opcode::setp, {token::lt, token::u32}, {s.load(token::u32), operand::integer(9)});
  s.b.emit(opcode::if_, {}, {p});
  s.b.emit(opcode::mov, {token::u32}, {v, operand::integer(1)});
  s.b.emit(opcode::endif, {}, {});
  s.store(v);
  CHECK(s.measure().is_read_unwritten(v.id));
}

TEST_CASE("an empty function needs nothing") {
  sketch s;
  CHECK(s.measure().peak().registers == 0);
}
