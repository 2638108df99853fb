#include <tg/dsl/recorder/read_cone.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/operation.hpp>

using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

namespace {

/// v = f, a read; if (f > 0) v = -f; select(n > 0, v + 1, 0). `also` records what stands between, given n, f and v.
template <class Also> std::vector<unsigned> moving(Also also) {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  auto& f = m.functions[0];
  const operand n = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::tid_x)});  // 0
  const operand read = build.compute(token::f32, opcode::ld, {token::global, token::f32}, {operand::address(n)});       // 1
  f.body.back().access = 0;
  const operand v = operand::reg(f.new_register(token::f32));
  build.emit(opcode::mov, {token::f32}, {v, read});                                                                 // 2
  const operand p = build.compute(token::pred, opcode::setp, {token::gt, token::f32}, {read, operand::f32(0.0f)});  // 3
  build.emit(opcode::if_, {}, {p});                                                                                 // 4
  build.emit(opcode::mov, {token::f32}, {v, build.compute(token::f32, opcode::neg, {token::f32}, {read})});         // 5, 6
  build.emit(opcode::endif, {}, {});                                                                                // 7
  const operand copy = build.compute(token::f32, opcode::mov, {token::f32}, {v});                                   // 8
  also(build, n, read, v);
  const operand sum = build.compute(token::f32, opcode::add, {token::f32}, {copy, operand::f32(1.0f)});
  const operand condition = build.compute(token::pred, opcode::setp, {token::gt, token::u32}, {n, operand::integer(0)});
  const operand chosen = build.compute(token::f32, opcode::selp, {token::f32}, {sum, operand::f32(0.0f), condition});
  const auto at = static_cast<unsigned>(f.body.size() - 1);
  build.emit(opcode::st, {token::global, token::f32}, {operand::address(n), chosen});
  tg::detail::body_facts facts(f);
  tg::detail::read_cone cone(f, facts);
  std::vector<unsigned> out;
  for (const tg::detail::stretch& s : cone(sum, at, at)) out.push_back(s.first);
  return out;
}

}  // namespace

TEST_CASE("a read moves with the branch that depends on it and with the variable that the branch writes") {
  CHECK(moving([](auto&, auto&...) {}) == std::vector<unsigned>{1, 2, 3, 4, 8, 9});
  CHECK(moving([](auto& build, const operand& n, const operand&, const operand& v) {  // dead
          build.compute(token::f32, opcode::add, {token::f32}, {v, v});
          build.compute(token::b32, opcode::add, {token::u32}, {n, n});
        }) == std::vector<unsigned>{1, 2, 3, 4, 8, 11});
}

TEST_CASE("what others need, and what memory in between may change, stays") {
  CHECK(moving([](auto& build, const operand& n, const operand& read, const operand&) {
          build.emit(opcode::st, {token::shared, token::f32}, {operand::address(n), read});
        }).empty());
  CHECK(moving([](auto& build, const operand& n, const operand&, const operand& v) {
          build.emit(opcode::st, {token::shared, token::f32}, {operand::address(n), v});
        }).empty());
  CHECK(moving([](auto& build, const operand& n, const operand&, const operand&) {
          build.emit(opcode::st, {token::global, token::u32}, {operand::address(n), n});
        }).empty());
}
