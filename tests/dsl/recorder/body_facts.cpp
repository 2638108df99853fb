#include <tg/dsl/recorder/body_facts.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/operation.hpp>

using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

TEST_CASE("a branch is one stretch of its block, and what is dead reads nothing") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  auto& f = m.functions[0];
  const operand x = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::tid_x)});  // 0
  const operand v = operand::reg(f.new_register(token::b32));
  build.emit(opcode::mov, {token::u32}, {v, x});                                                                  // 1
  const operand p = build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {x, operand::integer(5)});  // 2
  build.emit(opcode::if_, {}, {p});                                                                               // 3
  build.emit(opcode::mov, {token::u32}, {v, operand::integer(1)});                                                // 4
  build.emit(opcode::else_, {}, {});                                                                              // 5
  build.emit(opcode::st, {token::global, token::u32}, {operand::address(operand::integer(64)), x});               // 6
  build.emit(opcode::endif, {}, {});                                                                              // 7
  const operand dead = build.compute(token::b32, opcode::add, {token::u32}, {v, x});                              // 8
  build.compute(token::b32, opcode::add, {token::u32}, {dead, x});                                                // 9
  build.emit(opcode::st, {token::global, token::u32}, {operand::address(operand::integer(64)), v});               // 10

  tg::detail::body_facts facts(f);
  CHECK(facts.is_dead(8));
  CHECK(facts.is_dead(9));
  CHECK_FALSE(facts.is_dead(0));
  CHECK_FALSE(facts.is_dead(4));
  CHECK(facts[x.id].reads == 3);  // by 1, 2 and 6
  CHECK(facts[v.id].reads == 1);
  CHECK(facts[v.id].last == 10);
  CHECK(facts.is_variable(v.id));
  std::vector<unsigned> definitions;
  facts.for_each_definition(v.id, [&](unsigned n) { definitions.push_back(n); });
  CHECK(definitions == std::vector<unsigned>{1, 4});
  CHECK(facts.is_written(v.id, 2, 8));
  CHECK_FALSE(facts.is_written(v.id, 5, 8));

  const auto block = facts.block_of(0);
  const tg::detail::stretch branch = facts.stretch_of(4, block), store = facts.stretch_of(6, block);
  CHECK(branch.first == 3);
  CHECK(branch.last == 7);
  CHECK(store.first == 3);
  CHECK(facts.stretch_of(2, block).last == 2);
  CHECK(facts.stretch_of(2, facts.block_of(4)).first == tg::ptx::no_index);
  CHECK(facts.block_of(4) != facts.block_of(6));
  CHECK(facts.has_effect(branch));
  CHECK_FALSE(facts.has_effect({0, 2}));
  CHECK(facts.has_write(3, 8));
  CHECK_FALSE(facts.has_write(7, 10));

  const auto other = facts.new_block();
  facts.put(branch, other);
  CHECK(facts.stretch_of(4, other).last == 7);
  CHECK(facts.stretch_of(4, block).first == tg::ptx::no_index);
}
