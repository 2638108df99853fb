#include <tg/ptx/passes/hoist_invariants.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

std::size_t place(const sketch& s, opcode op) {
  const auto& body = s.m.functions[0].body;
  for (std::size_t n = 0; n < body.size(); ++n)
    if (body[n].op == op) return n;
  return body.size();
}

}  // namespace

TEST_CASE("what does not change moves in front of the loop, chains included") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred);
  s.loop();
  const operand a = s.op(opcode::mul, token::lo, token::u32, {x, x});
  const operand b = s.op(opcode::add, token::u32, {a, x});
  const operand late = s.parameter(token::u32);
  s.use(b), s.use(late);
  s.endloop(p);
  hoist_invariants(s.f());
  drop_empty(s.f());
  CHECK(place(s, opcode::loop) == 5);
  CHECK(s.f().body[2].op == opcode::mul);
  CHECK(s.f().body[3].op == opcode::add);
  CHECK(s.f().body[4].op == opcode::ld);
}

TEST_CASE("out of each loop as far as the sources allow") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, x);
  s.loop();
  const operand row = s.read(v);
  s.loop();
  const operand far = s.op(opcode::mul, token::lo, token::u32, {x, x});
  const operand near = s.op(opcode::add, token::u32, {s.read(v), far});
  s.use(near);
  s.endloop(p);
  s.move(v, s.op(opcode::add, token::u32, {row, operand::integer(1)}));
  s.endloop(p);
  hoist_invariants(s.f());
  drop_empty(s.f());
  CHECK(s.f().body[3].op == opcode::mul);
  CHECK(s.f().body[4].op == opcode::loop);
  // v is written in the outer loop after the inner one: its reads stay where they are
  CHECK(s.f().body[5].op == opcode::mov);
  CHECK(s.f().body[6].op == opcode::loop);
}

namespace {

// A loop of `length` instructions and a branch in it, with `cheap` sums that do not change.
struct branch_in_loop {
  sketch s;

  branch_in_loop(std::uint32_t length, int cheap) {
    const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
    s.move(v, x);
    s.loop();
    s.if_(p);
    for (int k = 0; k < cheap; ++k) s.use(s.op(opcode::add, token::u32, {x, sketch::imm(k + 1)}));
    const operand f = s.b.compute(token::f32, opcode::cvt, {token::rn, token::f32, token::u32}, {x});
    s.use(f, token::f32);
    s.endif();
    for (std::uint32_t k = 0; k < length; ++k) s.use(v);
    s.move(v, s.op(opcode::add, token::u32, {s.read(v), sketch::imm(1)}));
    s.endloop(p);
    hoist_invariants(s.f());
    drop_empty(s.f());
  }
  std::size_t in_front() const { return place(s, opcode::loop) - 3; }
};

}  // namespace

TEST_CASE("a branch of a long loop keeps its cheap instructions, if they are few") {
  CHECK(branch_in_loop(10, 3).in_front() == 4);
  CHECK(branch_in_loop(long_loop, 3).in_front() == 1);  // the conversion is not cheap
  CHECK(branch_in_loop(long_loop, 30).in_front() == 31);
  CHECK(branch_in_loop(4 * long_loop, 30).in_front() == 1);
}

TEST_CASE("out of a loop in a branch, up to the branch") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, x);
  s.loop();
  s.if_(p);
  s.loop();
  const operand own = s.op(opcode::add, token::u32, {x, sketch::imm(1)});
  s.use(own);
  s.endloop(p);
  s.endif();
  for (std::uint32_t k = 0; k < long_loop; ++k) s.use(v);
  s.endloop(p);
  hoist_invariants(s.f());
  drop_empty(s.f());
  CHECK(s.f().body[4].op == opcode::if_);
  CHECK(s.f().body[5][0] == own);
  CHECK(s.f().body[6].op == opcode::loop);
}

TEST_CASE("traps: loop-carried variables, loads, lanes, clocks, guards") {
  sketch s;
  const operand x = s.parameter(token::u32), a = s.parameter(token::u64), p = s.parameter(token::pred),
                v = s.variable(token::u32);
  s.move(v, x);
  s.loop();
  s.move(v, s.op(opcode::add, token::u32, {s.read(v), operand::integer(1)}));
  s.use(s.b.compute(token::u32, opcode::ld, {token::global, token::nc, token::u32}, {sketch::at(a)}));
  s.use(s.load(token::shared, token::u32, sketch::at(x)));
  s.use(s.b.compute(token::b32, opcode::shfl, {token::sync, token::bfly, token::b32},
                    {x, operand::integer(1), operand::integer(31), operand::integer(-1)}));
  s.use(s.op(opcode::mov, token::u32, {operand::special(special::clock)}));
  const operand guarded = s.op(opcode::not_, token::b32, {x});
  s.f().body.back().guard = p.id;
  s.use(guarded);
  s.endloop(p);
  const std::string before = s.text();
  hoist_invariants(s.f());
  drop_empty(s.f());
  CHECK(s.text() == before);
}
