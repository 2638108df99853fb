#include <tg/ptx/ir/builder.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("instructions are appended with the line that asked for them") {
  module m;
  m.functions.emplace_back();
  builder b(m, 0);
  b.emit(opcode::ret, {}, {});
  b.at({"k.cpp", 12});
  const operand sum = b.compute(token::b32, opcode::add, {token::s32}, {operand::integer(1), operand::integer(2)});
  b.at({"k.cpp", 0});  // not known: the last one stays
  b.emit(opcode::st, {token::shared, token::u32}, {operand::address(operand::integer(0)), sum});
  b.emit(operation::copy(token::u32), {sum, operand::integer(3)});
  CHECK(m.functions[0].body.back() == [&] {
    instruction i(opcode::mov, {token::u32}, {sum, operand::integer(3)});
    i.where = {1, 12};
    return i;
  }());
  m.functions[0].body.pop_back();
  const auto& body = m.functions[0].body;
  REQUIRE(body.size() == 3);
  CHECK(body[0].where == location{});
  CHECK(body[1].where == location{1, 12});
  CHECK(body[2].where == location{1, 12});
  CHECK(m.files[1] == "k.cpp");
  CHECK(body[1][0] == sum);
  CHECK(body[1].operands().size() == 3);
  CHECK(m.functions[0].registers[sum.id].type == token::b32);
}
