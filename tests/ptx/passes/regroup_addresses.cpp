#include <tg/ptx/passes/regroup_addresses.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/passes/remove_dead.hpp>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

/// base + column * 4 + row * stride, where one of both is what the loop counts.
struct walk {
  sketch s;
  operand base, stride, n, i, done;

  walk() {
    base = s.parameter(token::u64), stride = s.parameter(token::u32), n = s.parameter(token::u32);
    done = s.parameter(token::pred), i = s.variable(token::u32);
    s.move(i, n);
  }
  operand wide(operand x, operand by) { return s.op(opcode::mul, token::wide, token::u32, {x, by}); }
  operand plus(operand a, operand b) { return s.op(opcode::add, token::s64, {a, b}); }
  void read(operand address) { s.use(s.load(token::global, token::u32, s.at(address))); }

  /// What is left of the loop.
  std::string loop() {
    regroup_addresses(s.f());
    remove_dead(s.f());
    drop_empty(s.f());
    const std::string all = s.text();
    return all.substr(all.find("loop"));
  }
};

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("one address: the row is added in front of the loop") {
  walk w;
  const operand row = w.wide(w.n, w.stride);
  w.s.loop();
  const operand column = w.wide(w.s.read(w.i), w.s.imm(4));
  w.read(w.plus(w.plus(w.base, column), row));
  w.s.endloop(w.done);
  const std::string loop = w.loop();
  CHECK(count(loop, "add.s64") == 1);
  CHECK(w.s.count(opcode::add) == 2);
}

TEST_CASE("copies of one address add the row once in front of the loop") {
  walk w;
  const operand row = w.wide(w.n, w.stride);
  w.s.loop();
  for (int k = 0; k < 3; ++k) w.read(w.plus(w.plus(w.base, w.wide(w.s.read(w.i), w.s.imm(4 << k))), row));
  w.s.endloop(w.done);
  const std::string loop = w.loop();
  CHECK(count(loop, "add.s64") == 3);
  CHECK(w.s.count(opcode::add) == 4);
}

TEST_CASE("several addresses share what the loop changes, and each has its own product in it") {
  walk w;
  operand columns[3];
  const operand more[] = {w.s.parameter(token::u32), w.s.parameter(token::u32), w.s.parameter(token::u32)};
  for (int k = 0; k < 3; ++k) columns[k] = w.plus(w.base, w.wide(more[k], w.s.imm(4)));
  w.s.loop();
  const operand row = w.wide(w.s.read(w.i), w.stride);
  for (const operand& column : columns) w.read(w.plus(column, row));
  w.s.endloop(w.done);
  const std::string loop = w.loop();
  CHECK(count(loop, "mul.wide") == 4);
  CHECK(count(loop, "add.s64") == 4);
  CHECK(w.s.count(opcode::add) == 4);
}

TEST_CASE("traps: no loop, sums that a branch parts, variables, long loops") {
  walk straight;
  straight.read(straight.plus(straight.plus(straight.base, straight.wide(straight.n, straight.s.imm(4))),
                              straight.wide(straight.n, straight.stride)));
  const std::string before = straight.s.text();
  regroup_addresses(straight.s.f());
  CHECK(straight.s.text() == before);

  walk w;
  const operand row = w.wide(w.n, w.stride), p = w.s.parameter(token::pred);
  const operand a = w.plus(w.base, row), b = w.plus(w.base, w.wide(w.n, w.s.imm(12)));
  w.s.loop();
  const operand column = w.wide(w.s.read(w.i), w.s.imm(4));
  w.s.if_(p);
  w.read(w.plus(a, column));
  w.s.else_();
  w.read(w.plus(b, column));
  w.s.endif();
  w.s.endloop(w.done);
  CHECK(count(w.loop(), "add.s64") == 2);  // one in each branch

  walk moving;
  const operand pointer = moving.s.variable(token::u64);
  moving.s.move(pointer, moving.base);
  moving.s.loop();
  moving.read(moving.plus(moving.plus(moving.s.read(pointer), moving.wide(moving.s.read(moving.i), moving.s.imm(4))),
                          moving.wide(moving.n, moving.stride)));
  moving.s.endloop(moving.done);
  const std::string same = moving.s.text();
  regroup_addresses(moving.s.f());
  CHECK(moving.s.text() == same);

  walk tall;
  const operand far = tall.wide(tall.n, tall.stride);
  tall.s.loop();
  tall.read(tall.plus(tall.plus(tall.base, tall.wide(tall.s.read(tall.i), tall.s.imm(4))), far));
  for (std::uint32_t k = 0; k < long_loop; ++k) tall.s.use(tall.n);
  tall.s.endloop(tall.done);
  const std::string as_it_was = tall.s.text();
  regroup_addresses(tall.s.f());
  CHECK(tall.s.text() == as_it_was);
}
