#include <tg/ptx/passes/predicate_branches.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

// Whether an `if_` around what `write` emits stays a branch.
template <class Write> bool stays(const Write& write) {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, operand::integer(0));
  s.if_(p);
  write(s, x, p, v);
  s.endif();
  s.use(v);
  predicate_branches(s.f());
  drop_empty(s.f());
  return s.count(opcode::if_) != 0;
}

}  // namespace

TEST_CASE("a short branch becomes guards; pure values need none") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, operand::integer(0));
  s.if_(p);
  const operand t = s.op(opcode::add, token::u32, {x, operand::integer(1)});
  s.move(v, t);
  s.use(t);
  s.endif();
  s.use(v);
  predicate_branches(s.f());
  drop_empty(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nld.param.pred r1, [p1]\nmov.u32 r2, 0\nadd.u32 r3, r0, 1\n@r1 mov.u32 r2, r3\n"
                    "@r1 st.global.u32 [v0], r3\nst.global.u32 [v0], r2\n");
}

TEST_CASE("both branches, and a negated predicate") {
  sketch s;
  const operand p = s.parameter(token::pred), v = s.variable(token::u32);
  s.if_(!p);
  s.move(v, operand::integer(1));
  s.else_();
  s.move(v, operand::integer(2));
  s.endif();
  s.use(v);
  predicate_branches(s.f());
  drop_empty(s.f());
  CHECK(s.text() == "ld.param.pred r0, [p0]\n@!r0 mov.u32 r1, 1\n@r0 mov.u32 r1, 2\nst.global.u32 [v0], r1\n");
}

TEST_CASE("a load into a variable is guarded, one that makes a value keeps its branch") {
  for (const bool is_value : {false, true}) {
    sketch s;
    const operand x = s.parameter(token::u32), p = s.parameter(token::pred), v = s.variable(token::u32);
    s.move(v, operand::integer(0));
    s.if_(p);
    if (is_value) s.move(v, s.load(token::shared, token::u32, sketch::at(x)));
    else s.b.emit(opcode::ld, {token::shared, token::u32}, {v, sketch::at(x)});
    s.endif();
    s.use(v);
    predicate_branches(s.f());
    drop_empty(s.f());
    CHECK((s.count(opcode::if_) != 0) == is_value);
  }
}

TEST_CASE("traps") {
  CHECK_FALSE(stays([](sketch& s, operand x, operand, operand v) { s.move(v, x); }));
  CHECK(stays([](sketch& s, operand x, operand, operand) {  // too long
    for (int k = 0; k < 5; ++k) s.use(x);
  }));
  CHECK(stays([](sketch& s, operand x, operand, operand v) {  // lanes outside must not take part
    s.move(v, s.b.compute(token::b32, opcode::shfl, {token::sync, token::bfly, token::b32},
                          {x, operand::integer(1), operand::integer(31), operand::integer(-1)}));
  }));
  CHECK(stays([](sketch& s, operand, operand, operand) { s.b.emit(opcode::bar, {token::sync}, {operand::integer(0)}); }));
  CHECK(stays([](sketch& s, operand x, operand, operand v) { s.b.emit(opcode::div, {token::u32}, {v, x, x}); }));  // dear
  CHECK(stays([](sketch& s, operand x, operand p, operand) {  // guarded already
    s.use(x);
    s.f().body.back().guard = p.id;
  }));
  CHECK(stays([](sketch& s, operand x, operand p, operand) {  // the predicate changes on the way
    s.b.emit(opcode::setp, {token::eq, token::u32}, {p, x, x});
    s.use(x);
  }));
  CHECK(stays([](sketch& s, operand x, operand, operand) {  // control flow inside
    s.loop();
    s.use(x);
    s.endloop(s.parameter(token::pred));
  }));
}

TEST_CASE("trap: a loaded value is read after the branch") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred);
  s.if_(p);
  const operand t = s.load(token::shared, token::u32, sketch::at(x));
  s.endif();
  s.use(t);
  predicate_branches(s.f());
  drop_empty(s.f());
  CHECK(s.count(opcode::if_) == 1);
}

TEST_CASE("the inner of two branches is guarded, the outer one stays") {
  sketch s;
  const operand x = s.parameter(token::u32), p = s.parameter(token::pred);
  s.if_(p);
  s.if_(p);
  s.use(x);
  s.endif();
  s.else_();
  s.use(x);
  s.endif();
  predicate_branches(s.f());
  drop_empty(s.f());
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nld.param.pred r1, [p1]\n<if> r1\n@r1 st.global.u32 [v0], r0\n<else>\n"
                    "st.global.u32 [v0], r0\n<endif>\n");
}

namespace {

/// Branches that are left of two in a row on the conditions that `write` gives, with `between` in the middle.
template <class Write> std::size_t branches_of_two(const Write& write) {
  sketch s;
  const operand p = s.parameter(token::pred), q = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, operand::integer(0));
  const auto body = [&] {
    for (int k = 0; k < 6; ++k) s.use(operand::integer(k));
  };
  write(s, p, q, body, v);
  predicate_branches(s.f());
  drop_empty(s.f());
  return s.count(opcode::if_);
}

}  // namespace

TEST_CASE("branches in a row on one condition become one") {
  const auto two = [](sketch& s, operand first, operand second, const auto& body) {
    s.if_(first);
    body();
    s.endif();
    s.if_(second);
    body();
    s.endif();
  };
  CHECK(branches_of_two([&](sketch& s, operand p, operand, const auto& body, operand) { two(s, p, p, body); }) == 1);
  CHECK(branches_of_two([&](sketch& s, operand p, operand q, const auto& body, operand) { two(s, p, q, body); }) == 2);
  CHECK(branches_of_two([&](sketch& s, operand p, operand, const auto& body, operand) { two(s, p, !p, body); }) == 2);
  CHECK(branches_of_two([&](sketch& s, operand p, operand, const auto& body, operand) {
          two(s, p, p, body);
          s.if_(p);
          body();
          s.else_();
          s.use(operand::integer(9));
          s.endif();
        }) == 1);
  CHECK(
      branches_of_two([&](sketch& s, operand p, operand, const auto& body, operand) {  // trap: the other side of the first one
        s.if_(p);
        body();
        s.else_();
        body();
        s.endif();
        s.if_(p);
        body();
        s.endif();
      }) == 2);
  CHECK(branches_of_two([&](sketch& s, operand p, operand, const auto& body, operand) {  // trap: something between them
          s.if_(p);
          body();
          s.endif();
          s.use(operand::integer(8));
          s.if_(p);
          body();
          s.endif();
        }) == 2);
  CHECK(branches_of_two(
            [&](sketch& s, operand p, operand q, const auto& body, operand) {  // trap: the condition changes in the first one
              const operand c = s.variable(token::pred);
              s.move(c, p);
              s.if_(c);
              body();
              s.move(c, q);
              s.endif();
              s.if_(c);
              body();
              s.endif();
            }) == 2);
}
