#include <tg/ptx/passes/evaluate.hpp>

#include <doctest/doctest.h>

#include <random>

#include "machine.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;

}  // namespace

TEST_CASE("integer instructions agree with a second definition of them") {
  std::mt19937_64 random(3);
  function f;
  for (const token type : {token::u32, token::s32, token::u64, token::s64}) {
    const int bits = width_bits(type);
    const std::uint32_t result = f.new_register(type);
    const auto number = [&] {
      const std::int64_t small = static_cast<std::int64_t>(random() % 9) - 4;
      return operand::integer(
          sign_extend(random() % 3 == 0 ? small : static_cast<std::int64_t>(random() >> random() % 64), bits));
    };
    for (int k = 0; k < 4000; ++k) {
      for (const opcode op : {opcode::add, opcode::sub, opcode::div, opcode::rem, opcode::and_, opcode::or_, opcode::xor_,
                              opcode::min, opcode::max, opcode::shl, opcode::shr}) {
        instruction i(op, {type}, {operand::reg(result), number(), number()});
        if (op == opcode::shl || op == opcode::shr) i[2].value = static_cast<std::int64_t>(random() % 80);
        const auto value = evaluate(i);
        if (op == opcode::div || op == opcode::rem) {
          if (i[2].value == 0 || (is_signed(type) && i[2].value == -1)) {
            CHECK_FALSE(value.has_value());
            continue;
          }
        }
        const std::uint64_t expected = machine{f}.compute(i);
        CAPTURE(name(op));
        CAPTURE(i[1].value);
        CAPTURE(i[2].value);
        REQUIRE(value.has_value());
        if (value->value != machine::extend(expected, bits)) CHECK(value->value == machine::extend(expected, bits));
      }
      for (const token part : {token::lo, token::hi}) {
        const instruction i(opcode::mul, {part, type}, {operand::reg(result), number(), number()});
        if (evaluate(i)->value != machine::extend(machine{f}.compute(i), bits)) FAIL_CHECK("mul");
      }
      const instruction i(opcode::setp, {token::lt, type}, {operand::reg(result), number(), number()});
      if ((evaluate(i)->value != 0) != (machine{f}.compute(i) != 0)) FAIL_CHECK("setp");
    }
  }
}

TEST_CASE("masks are folded") {
  const auto mask = [](token how, std::int64_t position, std::int64_t count) {
    return evaluate({opcode::bmsk, {how, token::b32}, {operand::reg(0), operand::integer(position), operand::integer(count)}});
  };
  CHECK(mask(token::clamp, 4, 8)->value == 0xff0);
  CHECK(mask(token::clamp, 1, 40)->value == -2);
  CHECK(mask(token::clamp, 32, 8)->value == 0);
  CHECK(mask(token::wrap, 33, 34)->value == 6);
}

TEST_CASE("what is not known stays") {
  const operand r = operand::reg(0);
  CHECK_FALSE(evaluate({opcode::add, {token::u32}, {r, r, operand::integer(1)}}));
  CHECK_FALSE(evaluate({opcode::add, {token::sat, token::s32}, {r, operand::integer(1), operand::integer(1)}}));
  CHECK_FALSE(evaluate({opcode::cvt, {token::f32, token::f16}, {r, operand::integer(1)}}));
  CHECK_FALSE(evaluate({opcode::cvt, {token::rzi, token::s32, token::f32}, {r, operand::f32(1.5f)}}));
  CHECK_FALSE(evaluate({opcode::bar, {token::sync}, {operand::integer(0)}}));
}
