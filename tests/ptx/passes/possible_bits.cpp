#include <tg/ptx/passes/possible_bits.hpp>

#include <doctest/doctest.h>

#include <random>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

std::uint32_t bits_of(sketch& s, const operand& o) {
  const auto uses = count_uses(s.f());
  return possible_bits(s.f(), uses).of(o);
}

}  // namespace

TEST_CASE("the thread's place is below the extent of its block") {
  sketch s;
  const operand x = s.op(opcode::mov, token::u32, {operand::special(special::tid_x)});
  const operand y = s.op(opcode::mov, token::u32, {operand::special(special::tid_y)});
  const operand lane = s.op(opcode::mov, token::u32, {operand::special(special::laneid)});
  CHECK(bits_of(s, x) == possible_bits::all);
  s.f().bounds.required_threads = {96, 1, 1};
  CHECK(bits_of(s, x) == 127);
  CHECK(bits_of(s, y) == 0);
  CHECK(bits_of(s, lane) == 31);
}

TEST_CASE("masks and shifts leave few bits, sums and products carry") {
  sketch s;
  const operand p = s.parameter(token::u32);
  const operand low = s.op(opcode::and_, token::b32, {p, sketch::imm(15)});
  const operand high = s.op(opcode::shl, token::b32, {low, sketch::imm(8)});
  CHECK(bits_of(s, p) == possible_bits::all);
  CHECK(bits_of(s, low) == 15);
  CHECK(bits_of(s, high) == 0xf00);
  CHECK(bits_of(s, s.op(opcode::add, token::u32, {low, high})) == 0xf0f);
  CHECK(bits_of(s, s.op(opcode::xor_, token::b32, {low, high})) == 0xf0f);
  CHECK(bits_of(s, s.op(opcode::add, token::u32, {low, low})) == 31);
  CHECK(bits_of(s, s.op(opcode::shr, token::u32, {high, sketch::imm(9)})) == 7);
  CHECK(bits_of(s, s.op(opcode::shr, token::s32, {high, sketch::imm(9)})) == possible_bits::all);
  CHECK(bits_of(s, s.op(opcode::mul, token::lo, token::u32, {low, sketch::imm(12)})) == 0xfc);
  CHECK(bits_of(s, s.op(opcode::mul, token::lo, token::u32, {p, sketch::imm(12)})) == 0xfffffffc);
}

TEST_CASE("a variable may hold anything") {
  sketch s;
  const operand v = s.variable(token::u32);
  s.move(v, sketch::imm(1));
  s.move(v, sketch::imm(2));
  CHECK(bits_of(s, v) == possible_bits::all);
}

TEST_CASE("no sum and no multiple has a bit that is not possible") {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t a = random() >> random() % 32, b = random() >> random() % 32 << random() % 8,
                        k = random() >> random() % 32;
    const std::uint32_t x = a & random(), y = b & random();
    CHECK(((x + y) & ~possible_bits::sum(a, b)) == 0);
    CHECK((x * k & ~possible_bits::product(a, k)) == 0);
  }
}
