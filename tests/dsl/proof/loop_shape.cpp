#include <tg/dsl/proof/loop_shape.hpp>

#include <doctest/doctest.h>
#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;

TEST_CASE("a counter, a variable and a barrier") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::opcode;
  using tg::ptx::token;
  const auto zero = tg::ptx::operand::integer(0), three = tg::ptx::operand::integer(3);
  const auto counter = tg::ptx::operand::reg(m.functions[0].new_register(token::b32)),
             other = tg::ptx::operand::reg(m.functions[0].new_register(token::b32));
  const auto lane = build.compute(token::b32, opcode::add, {token::u32}, {three, three});
  build.emit(opcode::mov, {token::u32}, {counter, zero});
  build.emit(opcode::mov, {token::u32}, {other, zero});
  build.emit(opcode::loop, {}, {});
  build.emit(opcode::bar, {token::sync}, {zero});
  build.emit(opcode::mov, {token::u32}, {other, build.compute(token::b32, opcode::rem, {token::u32}, {counter, three})});
  // The remainder of the number of a lane: it is the same in all iterations.
  build.compute(token::b32, opcode::and_, {token::b32}, {lane, tg::ptx::operand::integer(7)});
  const auto copy = build.compute(token::b32, opcode::mov, {token::u32}, {counter});
  build.emit(opcode::mov, {token::u32}, {counter, build.compute(token::b32, opcode::add, {token::u32}, {copy, three})});
  build.emit(opcode::endloop, {}, {build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {copy, three})});
  const pf::structure s(m.functions[0]);
  const std::size_t end = m.functions[0].body.size() - 1;
  CHECK(s.end_of(3) == end);
  const pf::loop_shape shape(m.functions[0], s, 4, end);
  REQUIRE(shape.counters.size() == 1);
  CHECK(shape.counters[0].reg == counter.id);
  CHECK(shape.counters[0].step == three);
  CHECK(shape.others == tg::dynamic_array<std::uint32_t>{other.id});
  CHECK(shape.has_barrier);
  CHECK(shape.period == 3);
}
