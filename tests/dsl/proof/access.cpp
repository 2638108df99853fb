#include <tg/dsl/proof/access.hpp>

#include <initializer_list>

#include <doctest/doctest.h>
#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;
using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

namespace {

struct kernel {
  tg::ptx::module m;
  kernel() {
    m.variables.push_back({.space = token::shared, .count = 1024});
    m.functions.emplace_back();
  }
  operand tile() const { return operand::address(operand::named(tg::ptx::operand_kind::variable, 0)); }
  const tg::ptx::instruction& emit(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> all) {
    tg::ptx::builder(m, 0).emit(op, tokens, all);
    return m.functions[0].body.back();
  }
};

}  // namespace

TEST_CASE("an access says what it reads and writes, and of which memory") {
  kernel k;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(k.m.functions[0], {32, 1, 1}, none);
  pf::path way;
  way.must = way.may = v.predicates().everyone();
  const operand one = operand::integer(1);
  const auto store = pf::access_of(v, way, 7, k.emit(opcode::st, {token::shared, token::u32}, {k.tile(), one}));
  REQUIRE(store);
  CHECK(store->instruction == 7);
  CHECK(store->where.is_shared);
  CHECK(store->bytes == 4);
  CHECK(store->writes);
  CHECK_FALSE(store->reads);
  CHECK_FALSE(store->is_atomic);
  const auto& adds = k.emit(opcode::red, {token::cta, token::shared, token::add, token::u64}, {k.tile(), one});
  const auto sum = pf::access_of(v, way, 8, adds);
  REQUIRE(sum);
  CHECK((sum->reads && sum->writes && sum->is_atomic && sum->is_block_atomic));
  CHECK(sum->bytes == 8);
  const auto strong =
      pf::access_of(v, way, 9, k.emit(opcode::st, {token::release, token::shared, token::u32}, {k.tile(), one}));
  REQUIRE(strong);
  CHECK(strong->is_atomic);
  const auto matrix =
      pf::access_of(v, way, 10, k.emit(opcode::stmatrix, {token::x2, token::shared, token::b16}, {k.tile(), one}));
  REQUIRE(matrix);
  CHECK(matrix->bytes == 16);
  CHECK(matrix->way.may.count() == 16);
  CHECK_FALSE(pf::access_of(v, way, 11, k.emit(opcode::st, {token::u32}, {k.tile(), one})));
  CHECK(pf::is_unshared(k.emit(opcode::st, {token::local, token::u32}, {k.tile(), one})));
  CHECK_FALSE(pf::is_unshared(k.m.functions[0].body[0]));
}

TEST_CASE("a copy reads at one end and writes at the other") {
  kernel k;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(k.m.functions[0], {32, 1, 1}, none);
  const auto& i =
      k.emit(opcode::cp, {token::async, token::ca, token::shared, token::global}, {k.tile(), k.tile(), operand::integer(16)});
  const pf::use from = pf::copy_source(v, {}, 0, i), to = pf::copy_target(v, {}, 0, i);
  CHECK((from.reads && !from.writes && !from.where.is_shared));
  CHECK((to.writes && !to.reads && to.where.is_shared));
  CHECK((from.bytes == 16 && to.bytes == 16));
}
