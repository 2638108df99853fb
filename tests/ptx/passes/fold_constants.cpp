#include <tg/ptx/passes/fold_constants.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

operand imm(std::int64_t v) { return operand::integer(v); }

// What `op` on immediates becomes: the text after the result.
std::string folded(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> sources, token result) {
  sketch s;
  s.b.compute(result, op, tokens, sources);
  fold_constants(s.f(), count_uses(s.f()));
  return s.text();
}

// What `x op constant` becomes for an unknown x.
std::string simplified(opcode op, std::initializer_list<token> tokens, token type, operand constant) {
  sketch s;
  const operand x = s.parameter(type);
  s.b.compute(type, op, tokens, {x, constant});
  fold_constants(s.f(), count_uses(s.f()));
  const std::string text = s.text();
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("integers are computed as they wrap") {
  CHECK(folded(opcode::add, {token::u32}, {imm(-1), imm(2)}, token::u32) == "mov.u32 r0, 1\n");
  CHECK(folded(opcode::mul, {token::lo, token::s32}, {imm(65536), imm(65536)}, token::s32) == "mov.s32 r0, 0\n");
  CHECK(folded(opcode::mul, {token::hi, token::u32}, {imm(-1), imm(-1)}, token::u32) == "mov.u32 r0, -2\n");
  CHECK(folded(opcode::mul, {token::hi, token::u64}, {imm(-1), imm(-1)}, token::u64) == "mov.u64 r0, -2\n");
  CHECK(folded(opcode::mul, {token::wide, token::u32}, {imm(-1), imm(2)}, token::u64) == "mov.u64 r0, 8589934590\n");
  CHECK(folded(opcode::mul, {token::wide, token::s32}, {imm(-1), imm(2)}, token::u64) == "mov.u64 r0, -2\n");
  CHECK(folded(opcode::div, {token::s32}, {imm(-7), imm(2)}, token::s32) == "mov.s32 r0, -3\n");
  CHECK(folded(opcode::rem, {token::s32}, {imm(-7), imm(2)}, token::s32) == "mov.s32 r0, -1\n");
  CHECK(folded(opcode::div, {token::u32}, {imm(-7), imm(2)}, token::u32) == "mov.u32 r0, 2147483644\n");
  CHECK(folded(opcode::min, {token::u32}, {imm(-1), imm(2)}, token::u32) == "mov.u32 r0, 2\n");
  CHECK(folded(opcode::min, {token::s32}, {imm(-1), imm(2)}, token::s32) == "mov.s32 r0, -1\n");
  CHECK(folded(opcode::cvt, {token::u64, token::u32}, {imm(-1)}, token::u64) == "mov.u64 r0, 4294967295\n");
  CHECK(folded(opcode::cvt, {token::s64, token::s32}, {imm(-1)}, token::s64) == "mov.s64 r0, -1\n");
  CHECK(folded(opcode::cvt, {token::u32, token::u8}, {imm(-1)}, token::b32) == "mov.b32 r0, 255\n");
}

TEST_CASE("what sets the carry flag stays") {
  CHECK(folded(opcode::add, {token::u32}, {imm(-1), imm(2)}, token::u32) == "mov.u32 r0, 1\n");
  CHECK(folded(opcode::add, {token::cc, token::u32}, {imm(-1), imm(2)}, token::u32) == "add.cc.u32 r0, -1, 2\n");
  CHECK(simplified(opcode::add, {token::u32}, token::u32, imm(0)) == "mov.u32 r1, r0\n");
  CHECK(simplified(opcode::add, {token::cc, token::u32}, token::u32, imm(0)) == "add.cc.u32 r1, r0, 0\n");
  CHECK(simplified(opcode::sub, {token::cc, token::u32}, token::u32, imm(0)) == "sub.cc.u32 r1, r0, 0\n");
}

TEST_CASE("shift counts clamp at the width") {
  CHECK(folded(opcode::shl, {token::b32}, {imm(1), imm(32)}, token::b32) == "mov.b32 r0, 0\n");
  CHECK(folded(opcode::shl, {token::b32}, {imm(1), imm(-1)}, token::b32) == "mov.b32 r0, 0\n");
  CHECK(folded(opcode::shr, {token::s32}, {imm(-8), imm(40)}, token::s32) == "mov.s32 r0, -1\n");
  CHECK(folded(opcode::shr, {token::u32}, {imm(-8), imm(28)}, token::u32) == "mov.u32 r0, 15\n");
}

TEST_CASE("division by zero and the overflowing division stay") {
  CHECK(folded(opcode::div, {token::u32}, {imm(7), imm(0)}, token::u32) == "div.u32 r0, 7, 0\n");
  CHECK(folded(opcode::div, {token::s32}, {imm(INT32_MIN), imm(-1)}, token::s32) == "div.s32 r0, -2147483648, -1\n");
}

TEST_CASE("comparisons and selections") {
  CHECK(folded(opcode::setp, {token::lt, token::u32}, {imm(-1), imm(2)}, token::pred) == "mov.pred r0, 0\n");
  CHECK(folded(opcode::setp, {token::lt, token::s32}, {imm(-1), imm(2)}, token::pred) == "mov.pred r0, -1\n");
  const operand nan = operand::f32(std::numeric_limits<float>::quiet_NaN());
  CHECK(folded(opcode::setp, {token::ne, token::f32}, {nan, nan}, token::pred) == "mov.pred r0, 0\n");
  sketch s;
  const operand p = s.set(token::lt, token::u32, imm(1), imm(2));
  s.op(opcode::selp, token::b32, {s.parameter(token::b32), imm(4), p});
  fold_constants(s.f(), count_uses(s.f()));
  CHECK(s.text() == "mov.pred r0, -1\nld.param.b32 r1, [p0]\nmov.b32 r2, r1\n");
}

TEST_CASE("floats fold where round-to-nearest has one answer") {
  CHECK(folded(opcode::add, {token::f32}, {operand::f32(1), operand::f32(2)}, token::f32) == "mov.f32 r0, f32:3.000000\n");
  CHECK(folded(opcode::max, {token::f32}, {operand::f32(-0.0f), operand::f32(0.0f)}, token::f32) ==
        "mov.f32 r0, f32:0.000000\n");
  CHECK(folded(opcode::min, {token::f32}, {operand::f32(0.0f), operand::f32(-0.0f)}, token::f32) ==
        "mov.f32 r0, f32:-0.000000\n");
  CHECK(folded(opcode::cvt, {token::rn, token::f32, token::u64}, {imm(-1)}, token::f32) ==
        "mov.f32 r0, f32:18446744073709551616.000000\n");
  // the traps: another rounding, a NaN, flushing, an approximation
  CHECK(folded(opcode::add, {token::rz, token::f32}, {operand::f32(1), operand::f32(2)}, token::f32).substr(0, 3) == "add");
  CHECK(folded(opcode::sqrt, {token::rn, token::f32}, {operand::f32(-1)}, token::f32).substr(0, 4) == "sqrt");
  CHECK(folded(opcode::add, {token::ftz, token::f32}, {operand::f32(1), operand::f32(2)}, token::f32).substr(0, 3) == "add");
  CHECK(folded(opcode::div, {token::approx, token::f32}, {operand::f32(1), operand::f32(3)}, token::f32).substr(0, 3) == "div");
}

TEST_CASE("integer identities") {
  CHECK(simplified(opcode::add, {token::u32}, token::u32, imm(0)) == "mov.u32 r1, r0\n");
  CHECK(simplified(opcode::sub, {token::u32}, token::u32, imm(5)) == "add.u32 r1, r0, -5\n");
  CHECK(simplified(opcode::mul, {token::lo, token::u32}, token::u32, imm(1)) == "mov.u32 r1, r0\n");
  CHECK(simplified(opcode::mul, {token::lo, token::u32}, token::u32, imm(0)) == "mov.u32 r1, 0\n");
  CHECK(simplified(opcode::and_, {token::b32}, token::b32, imm(-1)) == "mov.b32 r1, r0\n");
  CHECK(simplified(opcode::xor_, {token::b32}, token::b32, imm(-1)) == "not.b32 r1, r0\n");
  CHECK(simplified(opcode::shr, {token::u32}, token::u32, imm(32)) == "mov.u32 r1, 0\n");
  CHECK(simplified(opcode::div, {token::s32}, token::s32, imm(1)) == "mov.s32 r1, r0\n");
  CHECK(simplified(opcode::rem, {token::s32}, token::s32, imm(1)) == "mov.s32 r1, 0\n");
  // the traps: shr.s keeps the sign, mul.wide is not the low product
  CHECK(simplified(opcode::shr, {token::s32}, token::s32, imm(32)) == "shr.s32 r1, r0, 32\n");
}

TEST_CASE("float identities hold for NaN and -0, and only those are used") {
  CHECK(simplified(opcode::add, {token::f32}, token::f32, operand::f32(-0.0f)) == "mov.f32 r1, r0\n");
  CHECK(simplified(opcode::sub, {token::f32}, token::f32, operand::f32(0.0f)) == "mov.f32 r1, r0\n");
  CHECK(simplified(opcode::mul, {token::f32}, token::f32, operand::f32(1.0f)) == "mov.f32 r1, r0\n");
  CHECK(simplified(opcode::mul, {token::f64}, token::f64, operand::f64(-1.0)) == "neg.f64 r1, r0\n");
  // -0 + 0 is +0; 0 · NaN is NaN; x·1 flushes denormals with ftz
  CHECK(simplified(opcode::add, {token::f32}, token::f32, operand::f32(0.0f)).substr(0, 3) == "add");
  CHECK(simplified(opcode::sub, {token::f32}, token::f32, operand::f32(-0.0f)).substr(0, 3) == "sub");
  CHECK(simplified(opcode::mul, {token::f32}, token::f32, operand::f32(0.0f)).substr(0, 3) == "mul");
  CHECK(simplified(opcode::mul, {token::ftz, token::f32}, token::f32, operand::f32(1.0f)).substr(0, 3) == "mul");
  sketch s;
  const operand x = s.parameter(token::f32);
  s.op(opcode::sub, token::f32, {x, x});
  s.set(token::eq, token::f32, x, x);
  fold_constants(s.f(), count_uses(s.f()));
  CHECK(s.count(opcode::sub) == 1);
  CHECK(s.count(opcode::setp) == 1);
}

TEST_CASE("immediates go last, comparisons turn round, constants join") {
  sketch s;
  const operand x = s.parameter(token::u32);
  const operand a = s.op(opcode::add, token::u32, {imm(3), x});
  s.op(opcode::add, token::u32, {a, imm(4)});
  s.set(token::lt, token::u32, imm(9), x);
  s.op(opcode::sub, token::u32, {imm(9), x});
  fold_constants(s.f(), count_uses(s.f()));
  CHECK(s.text() == "ld.param.u32 r0, [p0]\nadd.u32 r1, r0, 3\nadd.u32 r2, r0, 7\nsetp.gt.u32 r3, r0, 9\nsub.u32 r4, 9, r0\n");
}

TEST_CASE("constants do not go where PTX takes none, nor through a variable") {
  sketch s;
  const operand h = s.op(opcode::mov, token::b16, {imm(0x3c00)});
  const operand x = s.parameter(token::b16);
  s.b.compute(token::b16, opcode::add, {token::f16}, {x, h});
  const operand v = s.variable(token::u32);
  s.move(v, imm(1));
  s.loop();
  const operand t = s.read(v);
  s.move(v, s.op(opcode::add, token::u32, {t, imm(1)}));
  s.endloop(s.set(token::lt, token::u32, t, imm(5)));
  const std::string before = s.text();
  fold_constants(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}

TEST_CASE("a known guard is settled") {
  sketch s;
  const operand p = s.set(token::lt, token::u32, imm(1), imm(2));
  s.use(imm(1));
  s.f().body.back().guard = p.id;
  s.use(imm(2));
  s.f().body.back().guard = p.id;
  s.f().body.back().guard_negated = true;
  fold_constants(s.f(), count_uses(s.f()));
  drop_empty(s.f());
  CHECK(s.count(opcode::st) == 1);
  CHECK_FALSE(s.f().body.back().is_guarded());
}

TEST_CASE("comparisons that the possible bits of a number decide") {
  const auto text = [](auto body) {
    sketch s;
    s.f().bounds.required_threads = {256, 1, 1};
    const operand x = s.parameter(token::u32);
    const operand lane = s.op(opcode::and_, token::b32, {x, operand::integer(31)});
    body(s, x, lane);
    fold_constants(s.f(), count_uses(s.f()));
    return s.text();
  };
  const auto compared = [&](token how, std::int64_t with, token type = token::u32) {
    return text([&](sketch& s, operand, operand lane) {
      s.use(s.op(opcode::selp, token::u32,
                 {operand::integer(7), operand::integer(9), s.set(how, type, lane, operand::integer(with))}));
    });
  };
  const auto is_decided = [](const std::string& of) { return of.find("setp") == std::string::npos; };
  CHECK(compared(token::lt, 32).find("st.global.u32 [v0], 7") != std::string::npos);
  CHECK(compared(token::ge, 32).find("st.global.u32 [v0], 9") != std::string::npos);
  CHECK(is_decided(compared(token::le, 31)));
  CHECK(is_decided(compared(token::gt, 31)));
  CHECK_FALSE(is_decided(compared(token::lt, 31)));
  CHECK_FALSE(is_decided(compared(token::le, 30)));
  CHECK_FALSE(is_decided(compared(token::ge, 31)));
  CHECK_FALSE(is_decided(compared(token::gt, 30)));
  CHECK_FALSE(is_decided(compared(token::lt, 32, token::s32)));
  const auto divided = [&](opcode how, std::int64_t by, std::int64_t bound) {
    return is_decided(text([&](sketch& s, operand x, operand lane) {
      const operand part = s.op(how, token::u32, {how == opcode::div ? lane : x, operand::integer(by)});
      s.use(s.op(opcode::selp, token::u32,
                 {operand::integer(7), operand::integer(9), s.set(token::lt, token::u32, part, operand::integer(bound))}));
    }));
  };
  CHECK(divided(opcode::div, 8, 4));
  CHECK_FALSE(divided(opcode::div, 7, 4));
  CHECK(divided(opcode::rem, 4, 4));
  CHECK_FALSE(divided(opcode::rem, 5, 4));
}
