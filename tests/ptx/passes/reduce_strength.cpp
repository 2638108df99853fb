#include <tg/ptx/passes/reduce_strength.hpp>

#include <doctest/doctest.h>

#include <random>
#include <tg/base/dynamic_array.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

// Runs `n op d` and what it was reduced to, for each n.
bool is_exact(opcode op, token type, std::int64_t d, const tg::dynamic_array<std::uint64_t>& values) {
  sketch s;
  const operand x = s.parameter(type);
  s.op(op, type, {x, operand::integer(sign_extend(d, width_bits(type)))});
  const std::uint32_t result = s.f().body.back()[0].id;
  reduce_strength(s.f(), count_uses(s.f()));
  if (s.count(opcode::div) + s.count(opcode::rem) != 0) return false;
  machine lane{s.f()};
  for (const std::uint64_t n : values) {
    lane.params = {n};
    lane.steps = 0;
    lane.run();
    const int bits = width_bits(type);
    const std::uint64_t expected =
        machine::cut(machine::divide(n, static_cast<std::uint64_t>(d), bits, is_signed(type), op == opcode::rem), bits);
    if (lane.registers[result] != expected) {
      CAPTURE(n);
      CAPTURE(d);
      CHECK(lane.registers[result] == expected);
      return false;
    }
  }
  return true;
}

tg::dynamic_array<std::uint64_t> edges(int bits) {
  tg::dynamic_array<std::uint64_t> out;
  for (int k = 0; k <= bits; ++k)
    for (int delta = -2; delta <= 2; ++delta) {
      const std::uint64_t power = k == 64 ? 0 : std::uint64_t{1} << k;
      out.push_back(machine::cut(power + static_cast<std::uint64_t>(delta), bits));
      out.push_back(machine::cut(0 - power + static_cast<std::uint64_t>(delta), bits));
    }
  return out;
}

// Multiples of d and their neighbours, where a quotient that is slightly off shows.
void add_multiples(tg::dynamic_array<std::uint64_t>& out, std::uint64_t d, int bits, std::mt19937_64& random) {
  for (int k = 0; k < 24; ++k) {
    const std::uint64_t n = machine::cut(random(), bits) / (d == 0 ? 1 : d) * d;
    for (const std::uint64_t value : {n - 1, n, n + 1, 0 - n, 0 - n - 1, 0 - n + 1, random()})
      out.push_back(machine::cut(value, bits));
  }
}

}  // namespace

TEST_CASE("16-bit quotients and remainders: every value for many divisors") {
  tg::dynamic_array<std::uint64_t> all(65536);
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
  for (const token type : {token::u16, token::s16})
    for (const std::int64_t d : {1,   2,   3,   5,    6,    7,     9,     10,    11,    14,    28,    100,   127,
                                 128, 255, 641, 1000, 4096, 10007, 21845, 32767, 32768, 32769, 43691, 65534, 65535})
      for (const opcode op : {opcode::div, opcode::rem}) {
        CAPTURE(d);
        CAPTURE(name(type));
        CHECK(is_exact(op, type, is_signed(type) ? machine::extend(static_cast<std::uint64_t>(d), 16) : d, all));
      }
}

TEST_CASE("16-bit quotients: every divisor at the edges and round its multiples") {
  for (const token type : {token::u16, token::s16})
    for (std::uint64_t d = 2; d < 65535; ++d) {
      tg::dynamic_array<std::uint64_t> values = {0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
      for (const std::uint64_t n : {d, 65535 / d * d, 32768 / d * d, 0 - 32768 / d * d})
        for (const std::uint64_t value : {n - 1, n, n + 1}) values.push_back(machine::cut(value, 16));
      CAPTURE(d);
      if (!is_exact(opcode::div, type, is_signed(type) ? machine::extend(d, 16) : static_cast<std::int64_t>(d), values)) {
        FAIL_CHECK(name(type));
        break;
      }
    }
}

TEST_CASE("32- and 64-bit quotients and remainders: edges and random values") {
  std::mt19937_64 random(7);
  for (const token type : {token::u32, token::s32, token::u64, token::s64}) {
    const int bits = width_bits(type);
    tg::dynamic_array<std::uint64_t> divisors = edges(bits);
    for (std::uint64_t d = 1; d < 300; ++d) divisors.push_back(d), divisors.push_back(machine::cut(0 - d, bits));
    for (int k = 0; k < 300; ++k) divisors.push_back(machine::cut(random() >> random() % 63, bits));
    const tg::dynamic_array<std::uint64_t> some = edges(bits);
    for (const std::uint64_t d : divisors) {
      if (d == 0) continue;
      tg::dynamic_array<std::uint64_t> values = some;
      const std::int64_t divisor = is_signed(type) ? machine::extend(d, bits) : static_cast<std::int64_t>(d);
      add_multiples(values, d, bits, random);
      const bool is_ok = is_exact(opcode::div, type, divisor, values) && is_exact(opcode::rem, type, divisor, values);
      CAPTURE(divisor);
      CAPTURE(name(type));
      if (!is_ok) FAIL_CHECK("divisor");
    }
  }
}

TEST_CASE("powers of two become shifts and masks") {
  const auto reduced = [](opcode op, std::initializer_list<token> tokens, token type, operand d) {
    sketch s;
    const operand x = s.parameter(type);
    s.b.compute(type, op, tokens, {x, d});
    reduce_strength(s.f(), count_uses(s.f()));
    const std::string text = s.text();
    return text.substr(text.find('\n') + 1);
  };
  CHECK(reduced(opcode::mul, {token::lo, token::u32}, token::u32, operand::integer(8)) == "shl.b32 r1, r0, 3\n");
  CHECK(reduced(opcode::mul, {token::lo, token::s32}, token::s32, operand::integer(INT32_MIN)) == "shl.b32 r1, r0, 31\n");
  CHECK(reduced(opcode::div, {token::u32}, token::u32, operand::integer(8)) == "shr.u32 r1, r0, 3\n");
  CHECK(reduced(opcode::rem, {token::u32}, token::u32, operand::integer(8)) == "and.b32 r1, r0, 7\n");
  CHECK(reduced(opcode::div, {token::s32}, token::s32, operand::integer(8)) ==
        "shr.s32 r1, r0, 31\nshr.u32 r2, r1, 29\nadd.s32 r3, r0, r2\nshr.s32 r4, r3, 3\n");
  CHECK(reduced(opcode::div, {token::u32}, token::u32, operand::integer(10)) ==
        "mul.hi.u32 r1, r0, -858993459\nshr.u32 r2, r1, 3\n");
  CHECK(reduced(opcode::div, {token::rn, token::f32}, token::f32, operand::f32(4)) == "mul.rn.f32 r1, r0, f32:0.250000\n");
  // the traps: zero, a divisor without an exact inverse, an approximation, a widening product
  CHECK(reduced(opcode::div, {token::u32}, token::u32, operand::integer(0)) == "div.u32 r1, r0, 0\n");
  CHECK(reduced(opcode::div, {token::rn, token::f32}, token::f32, operand::f32(3)) == "div.rn.f32 r1, r0, f32:3.000000\n");
  CHECK(reduced(opcode::div, {token::rn, token::f32}, token::f32, operand::f32(0)) == "div.rn.f32 r1, r0, f32:0.000000\n");
  CHECK(reduced(opcode::div, {token::approx, token::f32}, token::f32, operand::f32(4)).substr(0, 10) == "div.approx");
  CHECK(reduced(opcode::mul, {token::wide, token::u32}, token::u32, operand::integer(4)) == "mul.wide.u32 r1, r0, 4\n");
}

TEST_CASE("a division of one becomes a reciprocal") {
  const auto reduced = [](token how, token type, operand one) {
    sketch s;
    const operand x = s.parameter(type);
    s.b.compute(type, opcode::div, {how, type}, {one, x});
    reduce_strength(s.f(), count_uses(s.f()));
    const std::string text = s.text();
    return text.substr(text.find('\n') + 1);
  };
  CHECK(reduced(token::rn, token::f32, operand::f32(1)) == "rcp.rn.f32 r1, r0\n");
  CHECK(reduced(token::rn, token::f64, operand::f64(1)) == "rcp.rn.f64 r1, r0\n");
  CHECK(reduced(token::rn, token::f32, operand::f32(-1)) == "div.rn.f32 r1, f32:-1.000000, r0\n");    // trap
  CHECK(reduced(token::full, token::f32, operand::f32(1)) == "div.full.f32 r1, f32:1.000000, r0\n");  // trap
}

TEST_CASE("a quotient by 2^k times 2^k is a mask") {
  const auto masks = [](token type, std::int64_t d, std::int64_t factor, bool changes) {
    sketch s;
    const operand x = changes ? s.variable(type) : s.parameter(type);
    if (changes) s.move(x, operand::integer(7));
    const operand quotient = s.op(opcode::div, type, {x, operand::integer(d)});
    if (changes) s.move(x, operand::integer(9));
    s.op(opcode::mul, token::lo, type, {quotient, operand::integer(factor)});
    reduce_strength(s.f(), count_uses(s.f()));
    return s.f().body.back().op == opcode::and_ ? s.f().body.back()[2].value : 0;
  };
  CHECK(masks(token::u32, 4, 4, false) == -4);
  CHECK(masks(token::u64, 1ll << 40, 1ll << 40, false) == -(1ll << 40));
  CHECK(masks(token::u32, 4, 8, false) == 0);
  CHECK(masks(token::u32, 3, 4, false) == 0);
  CHECK(masks(token::s32, 4, 4, false) == 0);
  CHECK(masks(token::u32, 4, 4, true) == 0);
  // A quotient that is read elsewhere too is there in any case.
  sketch s;
  const operand quotient = s.op(opcode::div, token::u32, {s.parameter(token::u32), operand::integer(4)});
  s.use(quotient);
  s.use(s.op(opcode::mul, token::lo, token::u32, {quotient, operand::integer(4)}));
  reduce_strength(s.f(), count_uses(s.f()));
  CHECK(s.count(opcode::shl) == 1);
}

TEST_CASE("a place in the grid is divided without regard to its sign") {
  const auto signs = [](special from, std::int64_t d) {
    sketch s;
    const operand x = s.op(opcode::mov, token::u32, {operand::special(from)});
    s.op(opcode::div, token::s32, {x, operand::integer(d)});
    reduce_strength(s.f(), count_uses(s.f()));
    return s.text().find(".s32") != std::string::npos;
  };
  CHECK_FALSE(signs(special::tid_x, 3));
  CHECK_FALSE(signs(special::nctaid_z, 8));
  CHECK(signs(special::tid_x, -3));
  CHECK(signs(special::clock, 3));
}
