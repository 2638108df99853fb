#include <tg/ptx/verify/verify_structure.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

#include <tg/base/error.hpp>

using namespace tg::ptx;

namespace {

constexpr std::uint32_t p = 0, a = 1, b = 2;  // registers

instruction marker(opcode op, bool has_predicate = false) {
  instruction i(op, {}, {});
  if (has_predicate) i.add(operand::reg(p));
  return i;
}
instruction set(std::uint32_t r) { return {opcode::mov, {token::u32}, {operand::reg(r), operand::integer(1)}}; }
instruction use(std::uint32_t r) {
  return {opcode::st, {token::global, token::u32}, {operand::address(operand::integer(0)), operand::reg(r)}};
}
instruction test() {
  return {opcode::setp, {token::lt, token::u32}, {operand::reg(p), operand::integer(1), operand::integer(2)}};
}
instruction label(std::uint32_t id) { return {opcode::label, {}, {operand::named(operand_kind::label, id)}}; }
instruction branch(std::uint32_t id) { return {opcode::bra, {}, {operand::named(operand_kind::label, id)}}; }

int number_of(std::initializer_list<instruction> body, std::uint32_t labels = 0) {
  function f;
  f.registers = {{token::pred}, {token::b32}, {token::b32}};
  f.label_count = labels;
  f.body = body;
  try {
    detail::structure_check{
        f, [](tg::code number, const instruction&, const std::string& what) { throw tg::error(number, what); }}();
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

}  // namespace

TEST_CASE("markers pair") {
  const auto if_ = marker(opcode::if_, true), else_ = marker(opcode::else_), endif = marker(opcode::endif);
  const auto loop = marker(opcode::loop), endloop = marker(opcode::endloop, true);
  CHECK(number_of({test(), if_, else_, endif}) == 0);
  auto by_eight = loop, by_none = loop;
  by_eight.add(operand::integer(8));
  by_none.add(operand::integer(0));
  CHECK(number_of({test(), by_eight, endloop}) == 0);
  CHECK(number_of({test(), by_none, endloop}) == 314);
  CHECK(number_of({test(), loop, if_, endif, endloop}) == 0);
  CHECK(number_of({test(), if_}) == 314);
  CHECK(number_of({test(), endif}) == 314);
  CHECK(number_of({test(), else_}) == 314);
  CHECK(number_of({test(), if_, else_, else_, endif}) == 314);
  CHECK(number_of({test(), loop, if_, endloop, endif}) == 314);
  CHECK(number_of({test(), endloop}) == 314);
  CHECK(number_of({test(), loop}) == 314);
  CHECK(number_of({test(), marker(opcode::if_), endif}) == 314);        // no predicate
  CHECK(number_of({test(), if_, marker(opcode::endif, true)}) == 314);  // one too many
  instruction folded(opcode::if_, {}, {operand::integer(1)});
  CHECK(number_of({folded, endif}) == 0);
  folded[0] = operand::reg(a);
  CHECK(number_of({set(a), folded, endif}) == 314);  // no predicate either
}

TEST_CASE("labels are defined once") {
  CHECK(number_of({label(0), branch(0)}, 1) == 0);
  CHECK(number_of({branch(0), label(0)}, 1) == 0);
  CHECK(number_of({branch(1), label(0)}, 2) == 313);
  CHECK(number_of({label(0), label(0)}, 1) == 313);
}

TEST_CASE("registers are written before they are read") {
  const auto if_ = marker(opcode::if_, true), else_ = marker(opcode::else_), endif = marker(opcode::endif);
  const auto loop = marker(opcode::loop), endloop = marker(opcode::endloop, true);
  CHECK(number_of({set(a), use(a)}) == 0);
  CHECK(number_of({use(a), set(a)}) == 315);
  CHECK(number_of({use(a)}) == 315);
  CHECK(number_of({if_, endif, test()}) == 315);
  // what one arm writes is not there behind it, nor in the other
  CHECK(number_of({test(), if_, set(a), use(a), endif}) == 0);
  CHECK(number_of({test(), if_, set(a), endif, use(a)}) == 315);
  CHECK(number_of({test(), if_, set(a), else_, use(a), endif}) == 315);
  CHECK(number_of({test(), set(a), if_, use(a), else_, use(a), endif, use(a)}) == 0);
  // a variable is written in both
  CHECK(number_of({test(), if_, set(a), else_, set(a), endif, use(a)}) == 0);
  // a loop runs at least once, but what it writes late is not there early
  CHECK(number_of({loop, set(a), test(), endloop, use(a)}) == 0);
  CHECK(number_of({loop, use(b), set(b), test(), endloop}) == 315);
  // nested arms
  CHECK(number_of({test(), if_, if_, set(a), endif, use(a), endif}) == 315);
  CHECK(number_of({test(), if_, set(a), if_, use(a), endif, use(a), endif}) == 0);
  // with labels nothing is known
  CHECK(number_of({label(0), use(a), branch(0)}, 1) == 0);
}
