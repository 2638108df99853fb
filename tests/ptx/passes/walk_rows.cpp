#include <tg/ptx/passes/walk_rows.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>

#include <tg/ptx/passes/optimize.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

/// A loop of a counter k that stores at rows k + n: `count(rows)` is below k + 1 where it ends.
struct rows {
  sketch s;
  operand base, pitch, length, k;
  token type = token::u32;

  explicit rows(token type = token::u32) : type(type) {
    base = s.parameter(token::u64), pitch = s.parameter(type), length = s.parameter(type), k = s.variable(type);
    s.move(k, sketch::imm(0));
  }
  operand plus(operand a, std::int64_t n) { return s.op(opcode::add, type, {a, sketch::imm(n)}); }
  operand address(operand row, token product) {
    return s.op(opcode::add, token::s64, {base, s.op(opcode::mul, token::wide, product, {row, pitch})});
  }
  void store(operand row, operand what) { s.store(sketch::at(address(row, type)), what); }
  void end_loop(operand limit, std::int64_t step = 1) {
    const operand next = plus(s.read(k), step);
    s.move(k, next);
    s.endloop(s.set(token::lt, type, next, limit));
    s.b.emit(opcode::ret, {}, {});
  }
  /// Up to `slack` rows below the length; the step of an unrolled loop is one more.
  operand below(std::int64_t slack) { return plus(s.op(opcode::max, type, {length, sketch::imm(slack)}), -slack); }

  auto run(std::uint64_t pitch, std::uint64_t length) {
    machine one{s.f(), 0, {0x10000000, pitch, length}};
    one.run();
    return one.stores;
  }
  /// Products in the loop behind the pass, which has to leave the same stores.
  std::size_t left(std::uint64_t some_pitch = 1000, std::uint64_t some_length = 13) {
    const auto expected = run(some_pitch, some_length);
    walk_rows(s.f());
    remove_dead(s.f());
    drop_empty(s.f());
    CHECK(run(some_pitch, some_length) == expected);
    return products();
  }
  /// Those of the loop.
  std::size_t products() {
    const std::string text = s.text(), loop = text.substr(text.find("<loop>"));
    std::size_t n = 0;
    for (std::size_t at = loop.find("mul.wide"); at != std::string::npos; at = loop.find("mul.wide", at + 1)) ++n;
    return n;
  }
};

}  // namespace

TEST_CASE("a row in each iteration is a pitch behind the one before") {
  rows r;
  r.s.loop();
  r.store(r.s.read(r.k), r.length);
  r.end_loop(r.length);
  CHECK(r.left() == 0);
  CHECK(r.s.text().find("mov.b64 r4, r0\nmul.wide.u32 r5, r1, 1\n<loop>\n") != std::string::npos);
}

TEST_CASE("four rows of an unrolled loop, some in branches, are one walk") {
  rows r;
  const operand limit = r.below(3);
  r.s.loop();
  const operand k = r.s.read(r.k);
  r.store(k, r.length);
  r.s.if_(r.s.set(token::ne, token::u32, r.length, sketch::imm(5)));
  r.store(r.plus(k, 1), r.length);
  r.s.endif();
  r.store(r.plus(k, 2), k);
  r.s.if_(r.s.set(token::ne, token::u32, k, sketch::imm(4)));
  r.store(r.plus(r.plus(k, 2), 1), r.length);
  r.s.endif();
  r.end_loop(limit, 4);
  CHECK(r.left() == 0);
}

TEST_CASE("rows that begin behind the first") {
  rows r;
  const operand limit = r.below(3);
  r.s.loop();
  r.store(r.plus(r.s.read(r.k), 2), r.length);
  r.end_loop(limit, 1);
  CHECK(r.left() == 0);
  CHECK(r.s.text().find("mul.wide.u32 r6, r1, 2\n") != std::string::npos);
}

TEST_CASE("signed counters, and a product without a sign of one") {
  for (const token product : {token::s32, token::u32}) {
    rows r(token::s32);
    r.s.loop();
    r.s.store(sketch::at(r.address(r.s.read(r.k), product)), r.length);
    r.end_loop(r.length);
    CHECK(r.left() == 0);
  }
}

TEST_CASE("what stays: each has a twin above or here that walks") {
  const auto left = [](auto build) {
    rows r;
    build(r);
    return r.left();
  };
  // Row k + 1 may wrap around where only k is known to be below the length.
  CHECK(left([](rows& r) {
          r.s.loop();
          r.store(r.plus(r.s.read(r.k), 1), r.length);
          r.end_loop(r.length);
        }) == 1);
  // Steps of 4 up to the length itself may wrap around.
  CHECK(left([](rows& r) {
          r.s.loop();
          r.store(r.s.read(r.k), r.length);
          r.end_loop(r.length, 4);
        }) == 1);
  // A product with a sign of a counter that may be above 2^31.
  CHECK(left([](rows& r) {
          r.s.loop();
          r.s.store(sketch::at(r.address(r.s.read(r.k), token::s32)), r.length);
          r.end_loop(r.length);
        }) == 1);
  // The counter begins where nobody knows.
  CHECK(left([](rows& r) {
          r.s.move(r.k, r.s.op(opcode::and_, token::b32, {r.length, sketch::imm(1)}));
          r.s.loop();
          r.store(r.s.read(r.k), r.length);
          r.end_loop(r.length);
        }) == 1);
  // Two counters at the beginning, of which a branch chooses one.
  CHECK(left([](rows& r) {
          r.s.if_(r.s.set(token::ne, token::u32, r.pitch, sketch::imm(5)));
          r.s.move(r.k, sketch::imm(1));
          r.s.endif();
          r.s.loop();
          r.store(r.s.read(r.k), r.length);
          r.end_loop(r.length);
        }) == 1);
  // The pitch changes in the loop.
  CHECK(left([](rows& r) {
          const operand pitch = r.s.variable(token::u32);
          r.s.move(pitch, r.pitch);
          r.s.loop();
          const operand own = r.s.read(pitch);
          r.s.store(
              r.s.op(opcode::add, token::s64, {r.base, r.s.op(opcode::mul, token::wide, token::u32, {r.s.read(r.k), own})}),
              r.length);
          r.s.move(pitch, r.plus(own, 4));
          r.end_loop(r.length);
        }) == 1);
  // The product is stored too.
  CHECK(left([](rows& r) {
          r.s.loop();
          const operand product = r.s.op(opcode::mul, token::wide, token::u32, {r.s.read(r.k), r.pitch});
          r.s.store(sketch::at(r.s.op(opcode::add, token::s64, {r.base, product})), product, token::u64);
          r.end_loop(r.length);
        }) == 1);
  // Rows that do not follow each other.
  CHECK(left([](rows& r) {
          const operand limit = r.below(3);
          r.s.loop();
          const operand k = r.s.read(r.k);
          r.store(k, r.length), r.store(r.plus(k, 3), r.length);
          r.end_loop(limit, 4);
        }) == 2);
}

TEST_CASE("random loops over rows store the same behind the pass and behind all passes") {
  std::mt19937 random(20);
  std::size_t walked = 0;
  for (int n = 0; n < 1000; ++n) {
    CAPTURE(n);
    rows r(random() % 3 == 0 ? token::s32 : token::u32);
    const int slack = static_cast<int>(random() % 4), step = 1 + static_cast<int>(random() % 4);
    const operand limit = slack == 0 ? r.length : r.below(slack);
    r.s.if_(r.s.set(token::lt, r.type, sketch::imm(0), limit));
    r.s.loop();
    const operand k = r.s.read(r.k);
    const int stores = 1 + static_cast<int>(random() % 5);
    for (int m = 0; m < stores; ++m) {
      const bool is_in_branch = random() % 3 == 0;
      const int offset = random() % 2 == 0 ? m : static_cast<int>(random() % 4);
      if (is_in_branch) r.s.if_(r.s.set(token::ne, token::u32, k, sketch::imm(random() % 8)));
      const operand row = offset == 0 ? k : r.plus(k, offset);
      r.s.store(sketch::at(r.address(row, random() % 8 == 0 ? token::s32 : r.type)), random() % 2 == 0 ? row : r.length);
      if (is_in_branch) r.s.endif();
    }
    const operand next = r.plus(r.s.read(r.k), step);
    r.s.move(r.k, next);
    r.s.endloop(r.s.set(token::lt, r.type, next, limit));
    r.s.endif();
    r.s.b.emit(opcode::ret, {}, {});
    const std::uint64_t pitch = random() % 5000, length = random() % 20;
    const auto expected = r.run(pitch, length);
    rows all = r;
    const std::size_t before = r.products();
    walk_rows(r.s.f());
    remove_dead(r.s.f());
    drop_empty(r.s.f());
    walked += r.products() != before;
    CHECK(r.run(pitch, length) == expected);
    optimize(all.s.f());
    CHECK(all.run(pitch, length) == expected);
  }
  CHECK(walked > 40);
}
