#include <tg/ptx/passes/flatten.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("a branch, a branch with another side, a loop") {
  sketch s;
  const operand p = s.parameter(token::pred);
  s.if_(p);
  s.use(operand::integer(1));
  s.endif();
  s.if_(!p);
  s.use(operand::integer(2));
  s.else_();
  s.use(operand::integer(3));
  s.endif();
  s.loop();
  s.use(operand::integer(4));
  s.endloop(p);
  s.b.emit(opcode::ret, {}, {});
  flatten(s.f());
  CHECK(s.text() == "ld.param.pred r0, [p0]\n@!r0 bra L0\nst.global.u32 [v0], 1\n<label> L0\n@r0 bra L1\nst.global.u32 [v0], "
                    "2\nbra L2\n"
                    "<label> L1\nst.global.u32 [v0], 3\n<label> L2\nst.global.u32 [v0], 4\n@r0 bra L2\nret\n");
  CHECK(s.f().label_count == 3);
}

TEST_CASE("ends that fall together share a label, and jumps go straight to the end") {
  sketch s;
  const operand p = s.parameter(token::pred);
  s.if_(p);
  s.if_(p);
  s.if_(p);
  s.use(operand::integer(1));
  s.endif();
  s.endif();
  s.else_();
  s.use(operand::integer(2));
  s.endif();
  flatten(s.f());
  CHECK(s.text() == "ld.param.pred r0, [p0]\n@!r0 bra L0\n@!r0 bra L1\n@!r0 bra L1\nst.global.u32 [v0], 1\nbra L1\n<label> L0\n"
                    "st.global.u32 [v0], 2\n<label> L1\nret\n");
}

TEST_CASE("a while loop tests once before and once at its end") {
  sketch s;
  const operand p = s.parameter(token::pred);
  s.if_(p);
  s.loop();
  s.use(operand::integer(1));
  s.endloop(p);
  s.endif();
  flatten(s.f());
  CHECK(s.text() == "ld.param.pred r0, [p0]\n@!r0 bra L0\n<label> L1\nst.global.u32 [v0], 1\n@r0 bra L1\n<label> L0\nret\n");
}

TEST_CASE("an endless loop ends in a plain branch; an empty branch leaves nothing") {
  sketch s;
  const operand p = s.parameter(token::pred);
  s.if_(p);
  s.endif();
  s.loop();
  s.use(operand::integer(1));
  s.endloop(operand::integer(-1));
  flatten(s.f());
  CHECK(s.text() == "ld.param.pred r0, [p0]\n<label> L0\nst.global.u32 [v0], 1\nbra L0\n");
}

TEST_CASE("an empty first side turns the branch round") {
  sketch s;
  s.if_(s.parameter(token::pred));
  s.else_();
  s.use(operand::integer(1));
  s.endif();
  flatten(s.f());
  CHECK(s.text() == "ld.param.pred r0, [p0]\n@r0 bra L0\nst.global.u32 [v0], 1\n<label> L0\nret\n");
}

TEST_CASE("a loop with a number keeps ptxas from unrolling it") {
  sketch s;
  const operand p = s.parameter(token::pred);
  s.loop();
  s.use(operand::integer(1));
  s.endloop(p);
  s.b.emit(opcode::loop, {}, {operand::integer(1)});
  s.use(operand::integer(2));
  s.endloop(p);
  flatten(s.f());
  REQUIRE(s.f().pragmas.size() == 1);
  CHECK(s.f().pragmas[0].text == "nounroll");
  const std::uint32_t at = s.f().pragmas[0].before;
  CHECK(s.f().body[at - 1].op == opcode::label);
  CHECK(s.f().body[at][1] == operand::integer(2));
}

TEST_CASE("a branch at the end of a loop that goes on by the same condition leaves the loop") {
  sketch s;
  const operand p = s.parameter(token::pred), q = s.parameter(token::pred);
  s.loop();
  s.use(operand::integer(1));
  s.if_(p);
  s.use(operand::integer(2));
  s.if_(q);
  s.use(operand::integer(3));
  s.endif();
  s.endif();
  s.endloop(p);
  s.use(operand::integer(4));
  flatten(s.f());
  // The inner branch jumps back itself where it has nothing to do.
  CHECK(s.text() ==
        "ld.param.pred r0, [p0]\nld.param.pred r1, [p1]\n<label> L0\nst.global.u32 [v0], 1\n@!r0 bra L1\n"
        "st.global.u32 [v0], 2\n@!r1 bra L0\nst.global.u32 [v0], 3\nbra L0\n<label> L1\nst.global.u32 [v0], 4\nret\n");
}

TEST_CASE("a branch at the end of a loop that goes on by something else falls to the end of the loop") {
  const auto text_of = [](auto end) {
    sketch s;
    const operand p = s.parameter(token::pred), q = s.parameter(token::pred);
    s.loop();
    s.use(operand::integer(1));
    s.if_(p);
    s.use(operand::integer(2));
    end(s, p, q);
    flatten(s.f());
    return s.text();
  };
  const std::string parameters = "ld.param.pred r0, [p0]\nld.param.pred r1, [p1]\n",
                    body = "<label> L0\nst.global.u32 [v0], 1\n@!r0 bra L1\nst.global.u32 [v0], 2\n";
  CHECK(text_of([](sketch& s, const operand&, const operand& q) { s.endif(), s.endloop(q); }) ==
        parameters + body + "<label> L1\n@r1 bra L0\nret\n");
  CHECK(text_of([](sketch& s, const operand& p, const operand&) { s.endif(), s.endloop(!p); }) ==
        parameters + body + "<label> L1\n@!r0 bra L0\nret\n");
  CHECK(text_of([](sketch& s, const operand& p, const operand& q) {  // the branch changes what the loop goes on by
          s.b.emit(opcode::mov, {token::pred}, {p, q});
          s.endif(), s.endloop(p);
        }) == parameters + body + "mov.pred r0, r1\n<label> L1\n@r0 bra L0\nret\n");
  CHECK(text_of([](sketch& s, const operand& p, const operand&) {  // something is done behind the branch
          s.endif(), s.use(operand::integer(3)), s.endloop(p);
        }) == parameters + body + "<label> L1\nst.global.u32 [v0], 3\n@r0 bra L0\nret\n");
  CHECK(text_of([](sketch& s, const operand& p, const operand&) {
          s.else_(), s.use(operand::integer(3)), s.endif(), s.endloop(p);
        }) == parameters + body + "bra L2\n<label> L1\nst.global.u32 [v0], 3\n<label> L2\n@r0 bra L0\nret\n");
}
