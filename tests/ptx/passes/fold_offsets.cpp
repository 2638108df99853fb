#include <tg/ptx/passes/fold_offsets.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/passes/merge_equal.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

// x(index) of 4-byte elements behind a 64-bit pointer
void access(sketch& s, operand base, operand index, token type = token::u32) {
  const operand bytes = s.op(opcode::mul, token::wide, type, {index, operand::integer(4)});
  s.use(s.load(token::global, token::u32, sketch::at(s.op(opcode::add, token::s64, {base, bytes}))));
}

void clean(sketch& s) {
  fold_offsets(s.f());
  merge_equal(s.f());
  remove_dead(s.f());
}

// The offset that x(i + c) ends with, or nothing if the sum stays.
std::int64_t offset_of(std::int64_t c) {
  sketch s;
  const operand x = s.parameter(token::u64), i = s.parameter(token::u32);
  access(s, x, s.op(opcode::add, token::u32, {i, operand::integer(c)}));
  clean(s);
  for (const instruction& one : s.f().body)
    if (one.op == opcode::ld && one.has(token::global)) return one[1].value;
  return -1;
}

}  // namespace

TEST_CASE("neighbours share one address") {
  sketch s;
  const operand x = s.parameter(token::u64), i = s.parameter(token::u32);
  for (int c = -1; c <= 1; ++c) access(s, x, c == 0 ? i : s.op(opcode::add, token::u32, {i, operand::integer(c)}));
  clean(s);
  CHECK(s.text() == "ld.param.u64 r0, [p0]\nld.param.u32 r1, [p1]\nmul.wide.u32 r2, r1, 4\nadd.s64 r3, r0, r2\n"
                    "ld.global.u32 r4, [r3-4]\nst.global.u32 [v0], r4\nld.global.u32 r5, [r3]\nst.global.u32 [v0], r5\n"
                    "ld.global.u32 r6, [r3+4]\nst.global.u32 [v0], r6\n");
}

TEST_CASE("a constant inside a sum and a product comes out") {
  sketch s;
  const operand x = s.parameter(token::u64), row = s.parameter(token::u32), column = s.parameter(token::u32);
  const operand next = s.op(opcode::add, token::u32, {row, operand::integer(2)});
  const operand scaled = s.op(opcode::mul, token::lo, token::u32, {next, operand::integer(33)});
  const operand left = s.op(opcode::add, token::u32, {column, operand::integer(-1)});
  access(s, x, s.op(opcode::add, token::u32, {scaled, left}));
  clean(s);
  CHECK(s.count(opcode::add) == 2);
  CHECK(s.text().find("+260]") != std::string::npos);  // (2 · 33 - 1) · 4
}

TEST_CASE("shared addresses: shift, sum and the name of the tile") {
  sketch s;
  const operand base = s.op(opcode::mov, token::u32, {operand::named(operand_kind::variable, 1)});
  const operand i = s.parameter(token::u32);
  const operand j = s.op(opcode::add, token::u32, {i, operand::integer(3)});
  const operand bytes = s.op(opcode::shl, token::b32, {j, operand::integer(2)});
  s.use(s.load(token::shared, token::u32, sketch::at(s.op(opcode::add, token::u32, {base, bytes}), 4)));
  s.use(s.load(token::shared, token::u32, sketch::at(s.op(opcode::add, token::u32, {base, operand::integer(20)}))));
  clean(s);
  CHECK(s.text() == "mov.u32 r0, v1\nld.param.u32 r1, [p0]\nshl.b32 r2, r1, 2\nadd.u32 r3, r0, r2\nld.shared.u32 r4, [r3+16]\n"
                    "st.global.u32 [v0], r4\nld.shared.u32 r5, [v1+20]\nst.global.u32 [v0], r5\n");
}

TEST_CASE("only indices near their base are known not to wrap") {
  CHECK(offset_of(5) == 20);
  CHECK(offset_of(-5) == -20);
  CHECK(offset_of(max_address_offset / 4) == max_address_offset / 4 * 4);
  CHECK(offset_of(max_address_offset / 4 + 1) == 0);  // too far for one instruction
  CHECK(offset_of(max_index_offset + 1) == 0);        // trap: may wrap
}

TEST_CASE("trap: an unsigned difference without its constant may be negative") {
  const auto offset = [](token type, std::int64_t c) {
    sketch s;
    const operand x = s.parameter(token::u64), i = s.parameter(type), k = s.parameter(type);
    const operand right = s.op(opcode::add, type, {i, operand::integer(c)});
    access(s, x, s.op(opcode::sub, type, {right, k}), type);
    clean(s);
    for (const instruction& one : s.f().body)
      if (one.op == opcode::ld && one.has(token::global)) return one[1].value;
    return std::int64_t{-1};
  };
  CHECK(offset(token::u32, 2) == 0);    // (1 + 2) - 3 is an index, 1 - 3 is not
  CHECK(offset(token::u32, -2) == -8);  // i - 2 - k >= 0, so i - k is too
  CHECK(offset(token::s32, 2) == 8);    // signed numbers may be negative on the way
}

TEST_CASE("trap: a sum that the program converts to 64 bits may wrap") {
  const auto offset = [](bool is_converted_first) {
    sketch s;
    const operand x = s.parameter(token::u64), i = s.parameter(token::u32);
    const auto wide = [&](operand o) { return s.b.compute(token::u64, opcode::cvt, {token::u64, token::u32}, {o}); };
    const auto next = [&](operand o, token t) { return s.op(opcode::add, t, {o, operand::integer(1)}); };
    const operand index = is_converted_first ? next(wide(i), token::s64) : wide(next(i, token::u32));
    const operand bytes = s.op(opcode::shl, token::b64, {index, operand::integer(3)});
    s.use(s.load(token::global, token::u32, sketch::at(s.op(opcode::add, token::s64, {x, bytes}))));
    clean(s);
    for (const instruction& one : s.f().body)
      if (one.op == opcode::ld && one.has(token::global)) return one[1].value;
    return std::int64_t{-1};
  };
  CHECK(offset(true) == 8);
  CHECK(offset(false) == 0);  // 0xffffffff + 1 is element 0, not element 2^32
}

TEST_CASE("traps: a variable changes, a guard may not write, a subtrahend") {
  sketch s;
  const operand x = s.parameter(token::u64), p = s.parameter(token::pred), v = s.variable(token::u32);
  s.move(v, operand::integer(1));
  s.move(v, s.parameter(token::u32));
  access(s, x, s.op(opcode::add, token::u32, {v, operand::integer(1)}));
  const operand i = s.parameter(token::u32);
  const operand guarded = s.op(opcode::add, token::u32, {i, operand::integer(1)});
  s.f().body.back().guard = p.id;
  access(s, x, guarded);
  const operand next = s.op(opcode::add, token::u32, {i, operand::integer(2)});
  access(s, x, s.op(opcode::sub, token::u32, {i, next}));  // i - (j + 2): minus 8
  fold_offsets(s.f());
  const std::string text = s.text();
  CHECK(text.find("+") == std::string::npos);
  CHECK(text.find("-8]") != std::string::npos);
}
