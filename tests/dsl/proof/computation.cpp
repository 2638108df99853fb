#include <tg/dsl/proof/computation.hpp>

#include <doctest/doctest.h>

#include <random>

#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;

TEST_CASE("registers follow coordinates and arguments") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::token;
  const auto reg = [](tg::ptx::special x) { return tg::ptx::operand::special(x); };
  const auto t = build.compute(token::b32, tg::ptx::opcode::mov, {token::u32}, {reg(tg::ptx::special::tid_x)});
  const auto block = build.compute(token::b32, tg::ptx::opcode::mov, {token::u32}, {reg(tg::ptx::special::ctaid_x)});
  const auto i =
      build.compute(token::b32, tg::ptx::opcode::mad, {token::lo, token::u32}, {block, tg::ptx::operand::integer(8), t});
  const auto half = build.compute(token::b32, tg::ptx::opcode::div, {token::u32}, {i, tg::ptx::operand::integer(4)});
  const auto low =
      build.compute(token::pred, tg::ptx::opcode::setp, {token::lt, token::u32}, {t, tg::ptx::operand::integer(3)});
  pf::values v(m.functions[0], {8, 1, 1}, {});
  pf::computation compute(m.functions[0], v);
  for (const auto& one : m.functions[0].body) compute(one);
  CHECK(v.form_of(half).at(7) == 1);
  REQUIRE(v.form_of(half).terms.size() == 1);
  CHECK(v.form_of(half).terms[0].factor == 2);
  CHECK(v.predicates()[v.condition_of(low)].must.count() == 3);
  CHECK(v.is_uniform(v[block.id]));
  CHECK_FALSE(v.is_uniform(v[t.id]));
}

// As numbers below 0 they would look as if they left the type in every launch that they do not.
TEST_CASE("large constants less an argument, and all bits of one turned, are numbers above 0") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::opcode;
  using tg::ptx::operand;
  using tg::ptx::token;
  const auto x = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::ctaid_x)});
  const auto large = build.compute(token::b32, opcode::mov, {token::u32}, {operand::integer(-0x7fffffff)});
  const auto difference = build.compute(token::b32, opcode::sub, {token::u32}, {operand::integer(-0x7fffffff), x});
  const auto of_register = build.compute(token::b32, opcode::sub, {token::u32}, {large, x});
  const auto of_signed = build.compute(token::b32, opcode::sub, {token::s32}, {operand::integer(-0x7fffffff), x});
  const auto turned = build.compute(token::b32, opcode::not_, {token::b32}, {x});
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(m.functions[0], {4, 1, 1}, none);
  pf::computation compute(m.functions[0], v);
  for (const auto& one : m.functions[0].body) compute(one);
  CHECK(v.form_of(difference).base == 0x80000001ll);
  CHECK(v.form_of(of_register).base == 0x80000001ll);
  CHECK(v.form_of(of_signed).base == -0x7fffffffll);
  CHECK(v.form_of(turned).base == 0xffffffffll);
}

TEST_CASE("fields of words and counts of bits have limits") {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  using tg::ptx::opcode;
  using tg::ptx::operand;
  using tg::ptx::token;
  const auto n = [](long long x) { return operand::integer(x); };
  const auto x = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::clock)});
  const auto byte = build.compute(token::b32, opcode::prmt, {token::b32}, {x, n(0), n(0x4441)});
  const auto upper = build.compute(token::b32, opcode::prmt, {token::b32}, {x, n(0), n(0x4144)});
  const auto sign = build.compute(token::b32, opcode::prmt, {token::b32}, {x, n(0), n(0x9991)});
  const auto field = build.compute(token::b32, opcode::bfe, {token::u32}, {x, n(3), n(5)});
  const auto bits = build.compute(token::b32, opcode::popc, {token::b32}, {x});
  pf::values v(m.functions[0], {8, 1, 1}, {});
  pf::computation compute(m.functions[0], v);
  for (const auto& one : m.functions[0].body) compute(one);
  const auto most = [&](const operand& o) { return v.as_numbers().highest(v.form_of(o)); };
  CHECK(most(byte) == 255);
  CHECK(most(upper) == 0xff0000);
  CHECK(most(sign) == 0xffffffff);
  CHECK(most(field) == 31);
  CHECK(most(bits) == 32);
  CHECK(v.lowest(v.form_of(byte)) == 0);
}

TEST_CASE("bits of what is selected beside 0 are not 0 only where the selection holds") {
  using tg::ptx::opcode;
  using tg::ptx::operand;
  using tg::ptx::token;
  // Threads of 8 where `(t < 3 ? bits : other) & 2` is not 0, as far as it follows.
  const auto threads_where = [](std::int64_t other, bool is_variable) {
    tg::ptx::module m;
    m.functions.emplace_back();
    tg::ptx::builder build(m, 0);
    const auto t = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::tid_x)});
    const auto bits = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::clock)});
    const auto low = build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {t, operand::integer(3)});
    const auto chosen = build.compute(token::b32, opcode::selp, {token::b32}, {bits, operand::integer(other), low});
    if (is_variable) build.emit(opcode::mov, {token::u32}, {chosen, t});
    const auto own = build.compute(token::b32, opcode::and_, {token::b32}, {chosen, operand::integer(2)});
    const auto found = build.compute(token::pred, opcode::setp, {token::ne, token::u32}, {own, operand::integer(0)});
    const tg::dynamic_array<pf::parameter_fact> none;
    pf::values v(m.functions[0], {8, 1, 1}, none);
    pf::computation compute(m.functions[0], v);
    for (const auto& one : m.functions[0].body) compute(one);
    return v.predicates()[v.condition_of(found)].may.count();
  };
  CHECK(threads_where(0, false) == 3);
  CHECK(threads_where(1, false) == 8);
  CHECK(threads_where(0, true) > 3);  // t & 2 in the end
}

TEST_CASE("no thread that finds a bit is left out, in random selections") {
  using tg::ptx::opcode;
  using tg::ptx::operand;
  using tg::ptx::token;
  std::mt19937 random(73);
  unsigned narrowed = 0;
  for (int round = 0; round < 2000; ++round) {
    const unsigned end = random() % 9, other = random() % 3 == 0 ? random() % 16 : 0, mask = 1u << random() % 4;
    tg::ptx::module m;
    m.functions.emplace_back();
    tg::ptx::builder build(m, 0);
    const auto t = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::tid_x)});
    const auto bits = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::clock)});
    const auto low = build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {t, operand::integer(end)});
    const auto chosen = build.compute(token::b32, opcode::selp, {token::b32}, {bits, operand::integer(other), low});
    const auto own = build.compute(token::b32, opcode::and_, {token::b32}, {chosen, operand::integer(mask)});
    const auto found = build.compute(token::pred, opcode::setp, {token::ne, token::u32}, {own, operand::integer(0)});
    const tg::dynamic_array<pf::parameter_fact> none;
    pf::values v(m.functions[0], {8, 1, 1}, none);
    pf::computation compute(m.functions[0], v);
    for (const auto& one : m.functions[0].body) compute(one);
    const auto& may = v.predicates()[v.condition_of(found)].may;
    const unsigned any = random();  // what the clock may say
    for (unsigned thread = 0; thread < 8; ++thread)
      if (((thread < end ? any : other) & mask) != 0) CHECK(may[thread]);
    narrowed += may.count() < 8 ? 1 : 0;
  }
  CHECK(narrowed > 500);
}
