#include <tg/ptx/passes/insertions.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/meaning/register_uses.hpp>

#include "sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("instructions land in front of their place, in order, and empty ones stay") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.b.at({"k.cpp", 12});
  s.use(x);
  s.use(operand::integer(1));
  insertions added;
  const operand t = added.compute(s.f(), 1, token::u32, operation::add(token::u32), {x, operand::integer(2)});
  added.compute(s.f(), 1, token::u32, operation::add(token::u32), {t, operand::integer(3)});
  added.before(3, {opcode::ret, {}, {}});
  s.f().body[2].clear();
  added.apply(s.f());
  REQUIRE(s.f().body.size() == 6);
  CHECK(s.f().body[4].op == opcode::none);
  drop_empty(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nadd.u32 r1, r0, 2\nadd.u32 r2, r1, 3\nst.global.u32 [v0], r0\nret\n");
  CHECK(s.f().body[1].where.line == 12);
}

TEST_CASE("the last of a sequence takes over the result") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.use(s.op(opcode::div, token::u32, {x, operand::integer(3)}));
  const std::size_t registers = s.f().registers.size();
  insertions added;
  const operand t = added.compute(s.f(), 1, token::u32, operation::add(token::u32), {x, x});
  added.compute(s.f(), 1, token::u32, operation::shr(token::u32), {t, operand::integer(1)});
  added.replace(s.f(), 1);
  added.apply(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nadd.u32 r1, r0, r0\nshr.u32 r2, r1, 1\nst.global.u32 [v0], r2\n");
  CHECK(s.f().registers.size() == registers + 1);
}

TEST_CASE("an equal instruction is not added again until what was added is forgotten") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.use(x);
  const auto sum = [&](insertions& added, token type, std::int64_t n) {
    return added.compute_once(s.f(), 1, type, {operation::add(token::u32), {operand{}, x, operand::integer(n)}});
  };
  insertions added;
  const operand first = sum(added, token::u32, 2);
  CHECK(sum(added, token::u32, 2) == first);
  CHECK(sum(added, token::u32, 3) != first);
  CHECK(sum(added, token::s32, 2) != first);
  added.forget();
  CHECK(sum(added, token::u32, 2) != first);
  added.apply(s.f());
  CHECK(s.f().body.size() == 6);
}

TEST_CASE("instructions for places in any order land in front of them, those for one place as they came") {
  sketch s;
  const operand x = s.parameter(token::u32);
  s.use(x);
  unordered_insertions added;
  const operation add = operation::add(token::u32);
  const auto sum = [&](std::uint32_t position, std::int64_t n) {
    return added.compute(s.f(), position, 0, token::u32, {add, {operand{}, x, operand::integer(n)}});
  };
  sum(2, 5);
  const operand first = sum(1, 2);
  sum(1, 3);
  CHECK(added.sum_at(1, add, x, operand::integer(2)) == first);
  CHECK_FALSE(added.sum_at(2, add, x, operand::integer(2)).is_reg());
  added.erase_at(2);
  added.apply(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nadd.u32 r1, r0, 2\nadd.u32 r2, r0, 3\nst.global.u32 [v0], r0\n");
}
