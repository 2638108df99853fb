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
  drop_empty(s.f());
  CHECK(s.count(opcode::add) == 1);
  CHECK(s.count(opcode::sub) == 2);
  CHECK(s.f().body[3][1] == s.f().body[4][1]);
}

TEST_CASE("merging goes on through what was merged") {
  sketch s;
  const operand x = s.parameter(token::u32);
  for (int k = 0; k < 2; ++k) s.use(sum(s, sum(s, x, sketch::imm(1)), sketch::imm(2)));
  merge_equal(s.f());
  drop_empty(s.f());
  CHECK(s.count(opcode::add) == 2);
}

TEST_CASE("a branch knows what came before it, what comes after does not know the branch") {
  sketch s;
  const operand a = s.parameter(token::u64), p = s.parameter(token::pred);
  const auto load = [&](std::int64_t offset) {
    s.use(s.b.compute(token::u32, opcode::ld, {token::global, token::nc, token::u32}, {sketch::at(a, offset)}));
  };
  load(4);
  s.if_(p);
  load(4);  // merged
  load(8);
  s.else_();
  load(8);  // trap: the other branch
  s.endif();
  load(8);  // trap: after it
  load(8);  // merged
  merge_equal(s.f());
  drop_empty(s.f());
  CHECK(s.count(opcode::ld) == 2 + 4);
}

TEST_CASE("integer arithmetic of several branches moves in front of the first") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred);
  s.loop();
  s.if_(p);
  s.if_(p);
  s.use(sum(s, sum(s, x, sketch::imm(1)), sketch::imm(2)));
  s.endif();
  s.use(sum(s, x, sketch::imm(1)));
  s.else_();
  s.use(sum(s, x, sketch::imm(1)));
  s.use(sum(s, x, sketch::imm(3)));  // trap: only here
  s.endif();
  s.endloop(p);
  s.use(sum(s, sum(s, x, sketch::imm(1)), sketch::imm(2)));
  merge_equal(s.f());
  drop_empty(s.f());
  CHECK(s.text() ==
        "ld.param.u32 r0, [p0]\nld.param.pred r1, [p1]\n<loop>\nadd.u32 r2, r0, 1\nadd.u32 r3, r2, 2\n<if> r1\n<if> "
        "r1\nst.global.u32 [v0], r3\n<endif>\nst.global.u32 [v0], r2\n<else>\nst.global.u32 [v0], r2\n"
        "add.u32 r4, r0, 3\nst.global.u32 [v0], r4\n<endif>\n<endloop> r1\nst.global.u32 [v0], r3\n");
}

TEST_CASE("traps: in the branches, but not cheap, or of what only a branch knows") {
  sketch s;
  const operand x = s.parameter(token::u32), y = s.parameter(token::f32), p = s.parameter(token::pred);
  for (int k = 0; k < 2; ++k) {
    s.if_(p);
    s.use(s.op(opcode::div, token::u32, {x, x}));
    s.use(s.op(opcode::add, token::f32, {y, y}), token::f32);
    const operand loaded = s.load(token::shared, token::u32, sketch::at(x));
    s.use(sum(s, loaded, sketch::imm(1)));
    s.endif();
  }
  const std::size_t before = s.f().body.size();
  merge_equal(s.f());
  drop_empty(s.f());
  CHECK(s.f().body.size() == before);
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
  drop_empty(s.f());
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
  drop_empty(s.f());
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
  drop_empty(s.f());
  CHECK(s.f().body.size() == before);
}

TEST_CASE("a sum with a constant in it shares the rest with a number that is there") {
  sketch s;
  const operand a = s.parameter(token::u32), b = s.parameter(token::u32);
  s.use(sum(s, a, b));
  s.use(sum(s, a, sum(s, b, sketch::imm(16))));
  s.use(sum(s, sum(s, b, sketch::imm(32)), a));
  merge_equal(s.f());
  CHECK(s.f().body[5].op == opcode::add);
  CHECK(s.f().body[5][1] == s.f().body[2][0]);
  CHECK(s.f().body[5][2] == sketch::imm(16));
  CHECK(s.f().body[8][1] == s.f().body[2][0]);
  CHECK(s.f().body[8][2] == sketch::imm(32));
}

TEST_CASE("traps: a sum of another type, of a branch that has ended, that only addresses are made of") {
  const auto stays = [](auto known) {
    sketch s;
    const operand a = s.parameter(token::u32), b = s.parameter(token::u32);
    known(s, a, b);
    const operand inner = sum(s, b, sketch::imm(16)), all = sum(s, a, inner);
    s.use(all);
    merge_equal(s.f());
    for (const instruction& i : s.f().body)
      if (i.operand_count != 0 && i[0] == all) return i[2] == inner;
    return false;
  };
  CHECK(!stays([](sketch& s, operand a, operand b) { s.use(sum(s, a, b)); }));
  CHECK(stays([](sketch& s, operand a, operand b) { s.use(s.op(opcode::add, token::s32, {a, b})); }));
  CHECK(stays([](sketch& s, operand a, operand b) {
    s.if_(s.parameter(token::pred));
    s.use(sum(s, a, b));
    s.endif();
  }));
  CHECK(stays([](sketch& s, operand a, operand b) {
    const operand bytes = s.op(opcode::mul, token::wide, token::u32, {sum(s, a, b), sketch::imm(4)});
    s.use(s.load(token::global, token::u32, sketch::at(bytes)));
  }));
}

TEST_CASE("special registers that stay the same merge") {
  sketch s;
  for (int k = 0; k < 2; ++k) s.use(s.op(opcode::mov, token::u32, {operand::special(special::tid_x)}));
  merge_equal(s.f());
  drop_empty(s.f());
  CHECK(s.count(opcode::mov) == 1);
}
