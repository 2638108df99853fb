#include <tg/ptx/verify/verify_operand.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("which registers hold which types") {
  const auto holds = [](token own, token type, bool wider = false) {
    return detail::operand_check::can_hold(own, type, wider);
  };
  CHECK(holds(token::b32, token::f32));
  CHECK(holds(token::f32, token::b32));
  CHECK_FALSE(holds(token::f32, token::u32));
  CHECK(holds(token::f32, token::f32));
  CHECK_FALSE(holds(token::f32, token::f16x2));
  CHECK(holds(token::b16, token::bf16));
  CHECK_FALSE(holds(token::b64, token::b32));
  CHECK(holds(token::b64, token::b32, true));
  CHECK_FALSE(holds(token::b16, token::b32, true));
  CHECK(holds(token::f64, token::b32, true));
  CHECK_FALSE(holds(token::f64, token::f32, true));
  CHECK(holds(token::pred, token::pred));
  CHECK_FALSE(holds(token::b32, token::pred));
  CHECK_FALSE(holds(token::pred, token::b8, true));
}

TEST_CASE("an operand is judged by its rule") {
  module m;
  function f;
  f.registers = {{token::b32}, {token::pred}};
  const instruction i(opcode::shl, {token::b32}, {});
  const detail::operand_check check(m, f, i);
  operand_rule source{.kind = operand_class::source};
  CHECK_FALSE(check(source, operand::reg(0)));
  CHECK_FALSE(check(source, operand::integer(5)));
  CHECK_FALSE(check(source, operand::f32(1)));
  const auto fault = check(source, operand::reg(1));
  CHECK(fault);
  CHECK(fault.number == wrong_register);
  CHECK(fault.expected == "a .b32 register, not .pred");
  CHECK(check(source, operand::f64(1)).number == wrong_operand);
}
