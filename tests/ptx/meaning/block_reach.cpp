#include <tg/ptx/meaning/block_reach.hpp>

#include <doctest/doctest.h>

#include "../passes/sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

operand read(sketch& s, special from) { return s.op(opcode::mov, token::u32, {operand::special(from)}); }

}  // namespace

TEST_CASE("blocks times a constant stay below 2^32") {
  sketch s;
  const operand x = read(s, special::ctaid_x), y = read(s, special::ctaid_y), t = read(s, special::tid_x);
  const operand i = s.b.compute(token::u32, opcode::mad, {token::lo, token::u32}, {x, s.imm(256), t});
  s.use(i);
  s.use(s.op(opcode::shl, token::b32, {s.op(opcode::add, token::u32, {y, t}), s.imm(16)}));
  CHECK(block_reach(s.f()) == block_limits{1u << 24, 1u << 16, 0xffffffff});
  // sums of places are places
  s.use(s.op(opcode::mul, token::lo, token::u32, {i, s.imm(4)}));
  CHECK(block_reach(s.f())[0] == 1u << 22);
}

TEST_CASE("a step of all threads does not become 0") {
  sketch s;
  const operand n = read(s, special::nctaid_x);
  s.use(s.op(opcode::shl, token::b32, {n, s.imm(8)}));
  CHECK(block_reach(s.f())[0] == (1u << 24) - 1);
}

TEST_CASE("a variable holds what was assigned last") {
  sketch s;
  const operand x = read(s, special::ctaid_x), v = s.variable(token::u32);
  s.move(v, x);
  s.b.emit(opcode::shl, {token::b32}, {v, v, s.imm(8)});
  CHECK(block_reach(s.f())[0] == 1u << 24);
  s.b.emit(opcode::mul, {token::lo, token::u32}, {v, v, s.imm(4)});
  CHECK(block_reach(s.f())[0] == 1u << 22);
  s.move(v, read(s, special::tid_x));
  s.b.emit(opcode::shl, {token::b32}, {v, v, s.imm(16)});
  CHECK(block_reach(s.f())[0] == 1u << 22);
}

TEST_CASE("traps: 64 bits, hashes, variables, other registers") {
  sketch s;
  const operand x = read(s, special::ctaid_x), t = read(s, special::tid_x), v = s.variable(token::u32);
  s.use(s.op(opcode::mul, token::wide, token::u32, {x, s.imm(256)}), token::u64);
  s.use(s.op(opcode::mul, token::lo, token::u32, {x, s.imm(1664525)}));
  s.use(s.op(opcode::mul, token::lo, token::u32, {t, s.imm(256)}));
  s.use(s.op(opcode::mul, token::lo, token::u32, {x, s.parameter(token::u32)}));
  s.move(v, x);
  s.move(v, t);
  s.use(s.op(opcode::mul, token::lo, token::u32, {v, s.imm(256)}));
  CHECK(block_reach(s.f()) == no_block_limits);
}
