#include <tg/ptx/ir/operand.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace tg::ptx;

TEST_CASE("operands know what they are") {
  CHECK(operand::reg(3).is_reg());
  CHECK(operand::reg(3).uses_reg());
  CHECK(operand::address(operand::reg(3), 8).uses_reg());
  CHECK_FALSE(operand::address(operand::named(operand_kind::variable, 3)).uses_reg());
  CHECK(operand::integer(-1).is_immediate());
  CHECK(operand::f64(0).is_immediate());
  CHECK_FALSE(operand::reg(3).is_immediate());
}

TEST_CASE("floating-point numbers are kept as bits") {
  CHECK(operand::f32(-0.0f).value == 0x80000000);
  CHECK(operand::f32(-0.0f) != operand::f32(0.0f));
  CHECK(operand::f64(1.0).value == 0x3ff0000000000000);
}

TEST_CASE("a predicate negated twice is itself") {
  const operand p = operand::reg(1);
  CHECK(!p != p);
  CHECK(!!p == p);
}
