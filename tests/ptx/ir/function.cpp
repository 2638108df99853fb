#include <tg/ptx/ir/function.hpp>

#include <doctest/doctest.h>

#include <tg/base/dynamic_array.hpp>

using namespace tg::ptx;

TEST_CASE("registers are numbered as they are made") {
  function f;
  CHECK(f.new_register(token::f32) == 0);
  CHECK(f.new_register(token::pred) == 1);
  CHECK(f.registers[1].type == token::pred);
}

TEST_CASE("vectors and pairs keep their parts") {
  function f;
  const operand v = f.new_vector(tg::dynamic_array<operand>{operand::reg(1), operand::reg(2), operand::reg(3)});
  const operand p = f.new_pair(operand::reg(4), operand{.kind = operand_kind::sink});
  CHECK(v.kind == operand_kind::vector);
  REQUIRE(f.parts(v).size() == 3);
  CHECK(f.parts(v)[2] == operand::reg(3));
  CHECK(p.kind == operand_kind::pair);
  REQUIRE(f.parts(p).size() == 2);
  CHECK(f.parts(p)[0] == operand::reg(4));
  CHECK(f.parts(f.new_vector({})).empty());
}
