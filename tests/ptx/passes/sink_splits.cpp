#include <tg/ptx/passes/sink_splits.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

struct program : sketch {
  operand word = parameter(token::b32), condition = set(token::ne, token::u32, word, imm(0));
  operand low = variable(token::b16), high = variable(token::b16);

  void split(const operand& from) { b.emit(opcode::mov, {token::b32}, {vector({low, high}), from}); }
  std::string sunk() {
    sink_splits(f());
    drop_empty(f());
    const std::string all = text();
    return all.substr(all.find("setp"));
  }
};

}  // namespace

TEST_CASE("what one branch reads is taken apart there") {
  program p;
  p.split(p.word);
  p.if_(p.condition);
  p.use(p.word);
  p.else_();
  p.use(p.low, token::b16);
  p.use(p.high, token::b16);
  p.endif();
  CHECK(p.sunk() ==
        "setp.ne.u32 r1, r0, 0\n<if> r1\nst.global.u32 [v0], r0\n<else>\nmov.b32 {r2 r3}, r0\nst.global.b16 [v0], r2\n"
        "st.global.b16 [v0], r3\n<endif>\n");
}

TEST_CASE("readers in branches of a branch: it is taken apart in the innermost one that holds them") {
  program p;
  p.split(p.word);
  p.if_(p.condition);
  p.if_(p.condition);
  p.use(p.low, token::b16);
  p.else_();
  p.use(p.high, token::b16);
  p.endif();
  p.endif();
  CHECK(p.sunk() ==
        "setp.ne.u32 r1, r0, 0\n<if> r1\nmov.b32 {r2 r3}, r0\n<if> r1\nst.global.b16 [v0], r2\n<else>\nst.global.b16 [v0], r3\n"
        "<endif>\n<endif>\n");
}

TEST_CASE("what both branches read, or what stands behind them, stays") {
  for (const bool is_behind : {false, true}) {
    program p;
    p.split(p.word);
    p.if_(p.condition);
    p.use(p.low, token::b16);
    if (!is_behind) p.else_();
    else p.endif();
    p.use(p.high, token::b16);
    if (!is_behind) p.endif();
    const std::string before = p.text();
    sink_splits(p.f());
    CHECK(p.text() == before);
  }
}

TEST_CASE("nothing goes into a loop") {
  program p;
  p.split(p.word);
  p.if_(p.condition);
  p.loop();
  p.use(p.low, token::b16);
  p.endloop(p.condition);
  p.endif();
  CHECK(p.sunk() ==
        "setp.ne.u32 r1, r0, 0\n<if> r1\nmov.b32 {r2 r3}, r0\n<loop>\nst.global.b16 [v0], r2\n<endloop> r1\n<endif>\n");

  program q;
  q.split(q.word);
  q.loop();
  q.if_(q.condition);
  q.use(q.low, token::b16);
  q.endif();
  q.endloop(q.condition);
  const std::string before = q.text();
  sink_splits(q.f());
  CHECK(q.text() == before);
}

TEST_CASE("a word that changes is taken apart where it stands") {
  program p;
  const operand changing = p.variable(token::b32);
  p.move(changing, p.word);
  p.split(changing);
  p.move(changing, p.imm(0));
  p.if_(p.condition);
  p.use(p.low, token::b16);
  p.endif();
  const std::string before = p.text();
  sink_splits(p.f());
  CHECK(p.text() == before);
}
