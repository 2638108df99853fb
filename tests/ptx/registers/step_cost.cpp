#include <tg/ptx/registers/step_cost.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("far memory is waited for longest, shared memory longer than arithmetic") {
  const operand r = operand::reg(0);
  const instruction far(opcode::ld, {token::global, token::f32}, {r, operand::address(operand::reg(1))});
  const instruction near(opcode::ld, {token::shared, token::f32}, {r, operand::address(operand::reg(1))});
  const instruction add(opcode::add, {token::f32}, {r, r, r});
  CHECK(result_latency(far) > result_latency(near));
  CHECK(result_latency(near) > result_latency(add));
  CHECK(result_latency(instruction(opcode::add, {token::f64}, {r, r, r})) > result_latency(add));
}

TEST_CASE("an exact division is called and needs registers, an approximate one does not") {
  const operand r = operand::reg(0);
  const instruction exact(opcode::div, {token::rn, token::f32}, {r, r, r});
  const instruction about(opcode::div, {token::approx, token::f32}, {r, r, r});
  const instruction wide(opcode::div, {token::rn, token::f64}, {r, r, r});
  CHECK(is_called(exact));
  CHECK_FALSE(is_called(about));
  CHECK(temporaries_of(wide) > temporaries_of(exact));
  CHECK(temporaries_of(about) == 0);
}

TEST_CASE("a matrix of small shape needs few registers beside its own") {
  const operand r = operand::reg(0);
  const instruction small(opcode::wmma, {token::load, token::a, token::sync, token::m8n8k32, token::u4}, {r, r});
  const instruction large(opcode::wmma, {token::load, token::a, token::sync, token::m16n16k16, token::f16}, {r, r});
  CHECK(temporaries_of(small) < temporaries_of(large));
  CHECK_FALSE(is_called(large));
}
