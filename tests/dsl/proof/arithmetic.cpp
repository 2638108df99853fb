#include <tg/dsl/proof/arithmetic.hpp>

#include <doctest/doctest.h>
#include <tg/ptx/ir/builder.hpp>

namespace pf = tg::proof;

namespace {

tg::ptx::instruction binary(tg::ptx::opcode op, tg::ptx::token type) {
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  const auto any = tg::ptx::operand::integer(0);
  build.compute(tg::ptx::token::b32, op, {type}, {any, any});
  return m.functions[0].body[0];
}

}  // namespace

TEST_CASE("a quotient is exact where ranges say so, and a symbol otherwise") {
  pf::symbols s(8);
  const pf::conditions c(s);
  const pf::numbers n(s, c);
  pf::arithmetic a(s, n);
  const auto div = binary(tg::ptx::opcode::div, tg::ptx::token::u32);
  const pf::form lane = pf::each({0, 1, 2, 3, 4, 5, 6, 7});
  const pf::form x = pf::single(s.make({.shared = pf::sharing::launch, .low = 0, .high = 1000, .is_free = true}));
  const auto eighth = a.of(div, pf::add(pf::scaled(x, 8), lane), pf::constant(8), {});
  REQUIRE(eighth);
  CHECK(*eighth == x);
  const auto third = a.of(div, x, pf::constant(3), {});
  REQUIRE(third);
  CHECK(s.high(*third) == 333);
  CHECK(s[third->terms[0].symbol].op == pf::operation::quotient);
  const auto rest =
      a.of(binary(tg::ptx::opcode::rem, tg::ptx::token::u32), pf::add(pf::scaled(x, 8), lane), pf::constant(8), {});
  REQUIRE(rest);
  CHECK(*rest == lane);
  // Only the width is known of a division by what may be 0.
  const auto open = a.of(binary(tg::ptx::opcode::rem, tg::ptx::token::u32), x, x, {});
  REQUIRE(open);
  CHECK(s.low(*open) == 0);
  CHECK(s.high(*open) == (pf::number{1} << 32) - 1);
  CHECK_FALSE(a.of(binary(tg::ptx::opcode::rem, tg::ptx::token::s32), x, x, {}));
}

TEST_CASE("bits are joined where no two of them meet") {
  pf::symbols s(4);
  const pf::conditions c(s);
  const pf::numbers n(s, c);
  pf::arithmetic a(s, n);
  const auto either = binary(tg::ptx::opcode::or_, tg::ptx::token::b32);
  const pf::form lane = pf::each({0, 1, 2, 3});
  const pf::form x = pf::single(s.make({.low = 0, .high = 1000, .is_free = true}));
  const auto joined = a.of_bits(either, pf::scaled(x, 4), lane, 32);
  REQUIRE(joined);
  CHECK(*joined == pf::add(pf::scaled(x, 4), lane));
  CHECK_FALSE(a.of_bits(either, pf::scaled(x, 2), lane, 32));
}

TEST_CASE("products and sums are kept small modulo the width") {
  pf::symbols s(4);
  const pf::conditions c(s);
  const pf::numbers n(s, c);
  pf::arithmetic a(s, n);
  const pf::form x = pf::single(s.make({.low = 0, .high = 1000, .is_free = true}), 1ll << 40);
  CHECK(*pf::arithmetic::held(x, 32) == x);
  CHECK(*pf::arithmetic::held(pf::add(pf::scaled(x, 1 << 12), pf::constant(5)), 32) == pf::constant(5));
  CHECK_FALSE(pf::arithmetic::held(pf::scaled(x, 1 << 12), 64));
  CHECK(*a.product(pf::constant((1ll << 32) + 3), pf::constant(1ll << 31), 32) == pf::constant(-3ll << 31));
  CHECK_FALSE(a.product(pf::constant(1ll << 40), pf::constant(1ll << 40), 64));
}

TEST_CASE("one instruction computes with other numbers every time") {
  pf::symbols s(4);
  const pf::conditions c(s);
  const pf::numbers n(s, c);
  pf::arithmetic a(s, n);
  auto what = binary(tg::ptx::opcode::xor_, tg::ptx::token::u32);
  const pf::form lane = pf::each({0, 1, 2, 3});
  CHECK(*a.of(what, lane, pf::constant(1), {}) == pf::each({1, 0, 3, 2}));
  CHECK(*a.of(what, lane, pf::constant(2), {}) == pf::each({2, 3, 0, 1}));
  CHECK(*a.of(what, lane, pf::constant(2), {}) == pf::each({2, 3, 0, 1}));
  what = binary(tg::ptx::opcode::and_, tg::ptx::token::u32);
  CHECK(*a.of(what, lane, pf::constant(2), {}) == pf::each({0, 0, 2, 2}));
}
