#include <tg/ptx/passes/merge_equal.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

operand sum(sketch& s, operand x, operand y) { return s.op(opcode::add, token::u32, {x, y}); }

}  // namespace

TEST_CASE("equal expressions are computed once, whatever the order of a sum") {
  sketch s;
  const operand x = s.parameter(token::u32), y = s.parameter(token::u32);
  s.use(sum(s, x, y));
  s.use(sum(s, y, x));
  s.use(s.op(opcode::sub, token::u32, {x, y}));
  s.use(s.op(opcode::sub, token::u32, {y, x}));  // trap: not the same
  merge_equal(s.f());
  CHECK(s.count(opcode::add) == 1);
  CHECK(s.count(opcode::sub) == 2);
  CHECK(s.f().body[3][1] == s.f().body[4][1]);
}

TEST_CASE("merging goes on through what was merged") {
  sketch s;
  const operand x = s.parameter(token::u32);
  for (int k = 0; k < 2; ++k) s.use(sum(s, sum(s, x, sketch::imm(1)), sketch::imm(2)));
  merge_equal(s.f());
  CHECK(s.count(opcode::add) == 2);
}

TEST_CASE("a branch knows what came before it, what comes after does not know the branch") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred);
  s.use(sum(s, x, sketch::imm(1)));
  s.if_(p);
  s.use(sum(s, x, sketch::imm(1)));  // merged
  s.use(sum(s, x, sketch::imm(2)));
  s.else_();
  s.use(sum(s, x, sketch::imm(2)));  // trap: the other branch
  s.endif();
  s.use(sum(s, x, sketch::imm(2)));  // trap: after it
  s.use(sum(s, x, sketch::imm(2)));  // merged
  merge_equal(s.f());
  CHECK(s.count(opcode::add) == 4);
}

TEST_CASE("loads of what nobody writes merge, others do not") {
  sketch s;
  const operand a = s.parameter(token::u64);
  const auto load = [&](std::initializer_list<token> tokens) {
    s.use(s.b.compute(token::u32, opcode::ld, tokens, {sketch::at(a)}));
  };
  for (int k = 0; k < 2; ++k) {
    load({token::global, token::nc, token::u32});
    load({token::global, token::u32});                    // trap: a store may be between
    load({token::volatile_, token::global, token::u32});  // trap
  }
  merge_equal(s.f());
  CHECK(s.count(opcode::ld) == 1 + 1 + 2 + 2);
}

TEST_CASE("vector loads merge element by element") {
  sketch s;
  const operand a = s.parameter(token::u64);
  for (int k = 0; k < 2; ++k) {
    const operand parts[] = {s.variable(token::f32), s.variable(token::f32)};
    s.b.emit(opcode::ld, {token::global, token::nc, token::v2, token::f32}, {s.f().new_vector(parts), sketch::at(a)});
    s.use(s.op(opcode::add, token::f32, {parts[0], parts[1]}), token::f32);
  }
  merge_equal(s.f());
  CHECK(s.count(opcode::ld) == 2);
  CHECK(s.count(opcode::add) == 1);
}

TEST_CASE("traps: variables, guards, clocks, lanes") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  for (int k = 0; k < 2; ++k) {
    s.move(v, s.parameter(token::u32));
    s.use(sum(s, v, x));
    s.use(sum(s, x, sketch::imm(1)));
    s.f().body[s.f().body.size() - 2].guard = p.id;
    s.use(s.op(opcode::mov, token::u32, {operand::special(special::clock)}));
    s.use(s.b.compute(token::b32, opcode::shfl, {token::sync, token::bfly, token::b32},
                      {x, sketch::imm(1), sketch::imm(31), sketch::imm(-1)}));
  }
  const std::size_t before = s.f().body.size();
  merge_equal(s.f());
  CHECK(s.f().body.size() == before);
}

TEST_CASE("special registers that stay the same merge") {
  sketch s;
  for (int k = 0; k < 2; ++k) s.use(s.op(opcode::mov, token::u32, {operand::special(special::tid_x)}));
  merge_equal(s.f());
  CHECK(s.count(opcode::mov) == 1);
}
