// Variables while a kernel is recorded: reads that are known, and assignments that wait until somebody may see them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tg/dsl/debug/clock.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/matrix/fragment.hpp>
#include <tg/dsl/matrix/mma.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recorder.hpp"
#include "../recording.hpp"

namespace {

using namespace tg::ptx;
using recording::recorder;

// How often `op` was recorded for the statements.
template <class Statements> std::size_t count(opcode op, Statements statements) {
  const std::string text = " " + recording::of(statements).text, wanted = " " + std::string(name(op)) + ".";
  std::size_t n = 0;
  for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a variable that is read twice is one register, until it is written") {
  recorder r;
  const operand v = r.variable(), x = r.thread();
  r.write(v, operand::integer(3));
  const operand three = r.read(v);
  CHECK(three != v);
  CHECK(r.read(v) == three);
  r.write(v, x);
  CHECK(r.read(v) == x);
  r.write(v, r.plus(x, 1));
  CHECK(r.read(v) == r.plus(x, 1));
  r.emit(opcode::add, {token::u32}, {v, v, operand::integer(1)});
  const operand added = r.read(v);
  CHECK(added != r.plus(x, 1));
  CHECK(r.read(v) == added);
  r.emit(opcode::atom, {token::global, token::add, token::u32}, {v, operand::address(x), x});
  CHECK(r.read(v) != added);
  const operand w = r.variable();
  r.write(w, v);  // a variable is no value
  const operand copied = r.read(w);
  r.write(v, operand::integer(0));
  CHECK(r.read(w) == copied);
  CHECK(copied != v);
}

TEST_CASE("an assignment of a value waits for a branch or loop, and the next one takes its place") {
  using marker = void (recorder::*)();
  for (const marker next : {&recorder::if_, &recorder::else_, &recorder::endif, &recorder::loop, &recorder::endloop}) {
    recorder r;
    const operand v = r.variable(), w = r.variable(), x = r.thread(), y = r.plus(x, 1), z = r.plus(x, 2);
    (void)r.condition();
    if (next == &recorder::endloop) r.loop();
    else if (next != &recorder::if_ && next != &recorder::loop) r.if_();
    const std::size_t size = r.size();
    r.write(v, x);
    r.b.at({"first.cu", 7});
    r.write(w, y);
    r.b.at({"second.cu", 8});
    r.write(v, z);
    CHECK(r.read(v) == z);
    CHECK(r.size() == size);
    (r.*next)();
    REQUIRE(r.size() == size + 3);
    const instruction &first = r.b.fn().body[size], &second = r.b.fn().body[size + 1];
    CHECK(first.op == opcode::mov);
    CHECK(first[0] == v);
    CHECK(first[1] == z);
    CHECK(first.where.line == 8);
    CHECK(second[0] == w);
    CHECK(second[1] == y);
    CHECK(second.where.line == 7);
    CHECK(second.where.file != first.where.file);
    r.loop();
    CHECK(r.size() == size + 4);  // once is enough
  }
}

TEST_CASE("an assignment that waits is recorded before what names its variable") {
  struct made {
    recorder r;
    operand v = r.variable(), w = r.variable(), x = r.thread();
    std::size_t size = r.size();
    made() { r.write(w, x), r.write(v, x); }
    // Whether the assignment of v, and not that of w, stands before the one instruction that was recorded since.
    bool is_assigned() {
      const auto& body = r.b.fn().body;
      return body.size() == size + 2 && body[size].op == opcode::mov && body[size][0] == v && body[size][1] == x;
    }
  };
  const operand one = operand::integer(1);
  made a, b, c, d, e, f, g, h;
  (void)a.r.compute(token::u32, opcode::add, {token::u32}, {a.v, one});
  CHECK(a.is_assigned());
  (void)b.r.compute(token::f32, opcode::mov, {token::b32}, {b.v});
  CHECK(b.is_assigned());
  c.r.emit(opcode::add, {token::u32}, {c.v, c.v, one});
  CHECK(c.is_assigned());
  d.r.emit(opcode::st, {token::shared, token::u32}, {operand::address(d.v), one});
  CHECK(d.is_assigned());
  const operand parts[] = {e.x, e.v};
  e.r.emit(opcode::st, {token::shared, token::v2, token::u32}, {operand::address(e.x), e.r.b.fn().new_vector(parts)});
  CHECK(e.is_assigned());
  const operand copy = f.r.variable();
  f.r.write(copy, f.v);
  CHECK(f.is_assigned());
  g.r.write(g.v, one);  // a number is no value: it does not wait
  CHECK(g.is_assigned());
  h.r.emit(opcode::st, {token::shared, token::u32}, {operand::address(h.x), one});
  CHECK(h.r.size() == h.size + 1);
}

TEST_CASE("each part of a vector or pair is written, and no register beside it") {
  recorder r;
  const operand parts[] = {r.variable(), r.variable()}, pair[] = {r.variable(), r.variable(token::pred)}, other = r.variable();
  const operand address = operand::address(r.thread());
  std::vector<operand> before;
  for (const operand& v : {parts[0], parts[1], pair[0], other}) before.push_back(r.read(v));
  const operand held = r.read(pair[1], token::pred);
  r.emit(opcode::ld, {token::shared, token::v2, token::u32}, {r.b.fn().new_vector(parts), address});
  CHECK(r.read(parts[0]) != before[0]);
  CHECK(r.read(parts[1]) != before[1]);
  CHECK(r.read(pair[0]) == before[2]);
  operand both = r.b.fn().new_vector(pair);
  both.kind = operand_kind::pair;
  r.emit(opcode::elect, {token::sync}, {both, operand::integer(-1)});
  CHECK(r.read(pair[0]) != before[2]);
  CHECK(r.read(pair[1], token::pred) != held);
  CHECK(r.read(other) == before[3]);
  r.emit(opcode::st, {token::shared, token::u32}, {address, other});
  CHECK(r.read(other) == before[3]);
  const operand sums = r.b.fn().new_vector(parts);
  const operand old = r.read(parts[1]);
  r.emit(opcode::mma,
         {token::sync, token::aligned, token::m8n8k16, token::row, token::col, token::s32, token::s8, token::s8, token::s32},
         {sums, r.thread(), r.thread(), sums});
  CHECK(r.read(parts[1]) != old);
}

TEST_CASE("a variable is read anew where ways meet") {
  recorder r;
  const operand v = r.variable(), x = r.thread(), y = r.plus(x, 1);
  r.write(v, x);
  r.if_();
  CHECK(r.read(v) == x);
  r.write(v, y);
  CHECK(r.read(v) == y);
  r.endif();
  const operand behind = r.read(v);
  CHECK(behind != x);
  CHECK(behind != y);
  r.write(v, x);
  r.if_();
  r.write(v, y);
  r.else_();
  CHECK(r.read(v) != y);
  r.endif();
  r.write(v, x);
  r.loop();
  const operand around = r.read(v);
  CHECK(around != x);
  CHECK(r.read(v) == around);
  r.write(v, y);
  CHECK(r.read(v) == y);
  r.endloop();
  CHECK(r.read(v) != y);  // each lane has that of its own last iteration
}

TEST_CASE("a read as another class of register is another read") {
  recorder r;
  const operand v = r.variable(), x = r.thread();
  r.write(v, x);
  const operand bits = r.compute(token::f32, opcode::mov, {token::b32}, {v});
  CHECK(bits != x);
  CHECK(r.b.fn().registers[bits.id].type == token::f32);
  CHECK(r.b.fn().registers[r.read(v).id].type != token::f32);
  const operand p = r.variable(token::pred), c = r.condition();
  r.write(p, c, token::pred);
  CHECK(r.compute(token::pred, opcode::mov, {token::pred}, {!p}) != c);
  r.write(p, !c, token::pred);
  CHECK(r.read(p, token::pred) != c);
}
