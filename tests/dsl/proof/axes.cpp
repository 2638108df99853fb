#include <tg/dsl/proof/axes.hpp>

#include <array>

#include <doctest/doctest.h>
#include <tg/ptx/ir/builder.hpp>

TEST_CASE("an axis counts if what is read of it is used") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::opcode;
  using tg::ptx::operand;
  using tg::ptx::special;
  using tg::ptx::token;
  const auto x = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(special::ctaid_x)});
  build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(special::ctaid_y)});
  const auto z = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(special::nctaid_z)});
  CHECK(tg::proof::axes_read(m.functions[0]) == tg::fixed_array<bool, 3>{});
  const auto tile = operand::address(operand::named(tg::ptx::operand_kind::variable, 0));
  build.emit(opcode::st, {token::shared, token::u32}, {tile, x});
  CHECK(tg::proof::axes_read(m.functions[0]) == tg::fixed_array<bool, 3>{true, false, false});
  build.emit(opcode::st, {token::shared, token::u32}, {tile, z});
  CHECK(tg::proof::axes_read(m.functions[0]) == tg::fixed_array<bool, 3>{true, false, true});
}
