#include <tg/dsl/proof/tensor_boxes.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;
using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

TEST_CASE("the box of a map is found through the instructions that make its address") {
  tg::ptx::module m;
  m.functions.emplace_back();
  for (int r = 0; r < 4; ++r) (void)m.functions[0].new_register(token::b64);
  tg::ptx::builder build(m, 0);
  build.emit(opcode::mov, {token::b64}, {operand::reg(0), operand::named(tg::ptx::operand_kind::param, 1)});
  build.emit(opcode::cvta, {token::param, token::u64}, {operand::reg(1), operand::reg(0)});
  build.emit(opcode::add, {token::u64}, {operand::reg(2), operand::reg(1), operand::integer(128)});
  const tg::dynamic_array<pf::parameter_fact> parameters = {{}, {.box_bytes = 512}};
  pf::tensor_boxes boxes(m.functions[0], parameters, m.maps);
  CHECK(boxes.bytes_at(operand::address(operand::reg(1))) == 512);
  CHECK(boxes.bytes_at(operand::address(operand::reg(1), 64)) == -1);
  CHECK(boxes.bytes_at(operand::address(operand::reg(2))) == -1);
  CHECK(boxes.bytes_at(operand::address(operand::reg(3))) == -1);
  const tg::dynamic_array<pf::parameter_fact> scalars(2);
  pf::tensor_boxes none(m.functions[0], scalars, m.maps);
  CHECK(none.bytes_at(operand::address(operand::reg(1))) == -1);
  // A map that the launch makes stands behind the parameters that have facts.
  tg::dynamic_array<tg::ptx::view_map> made(1);
  made[0].parameter = 1;
  made[0].element_bytes = 2;
  made[0].box_rows = 8;
  made[0].box_columns = 64;
  const tg::dynamic_array<pf::parameter_fact> no_facts;
  pf::tensor_boxes of_view(m.functions[0], no_facts, made);
  CHECK(of_view.bytes_at(operand::address(operand::reg(1))) == 1024);
  build.emit(opcode::mov, {token::b64}, {operand::reg(0), operand::reg(3)});
  pf::tensor_boxes twice(m.functions[0], parameters, m.maps);
  CHECK(twice.bytes_at(operand::address(operand::reg(1))) == -1);
}
