#include <tg/ptx/passes/optimize.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/verify/verify.hpp>

#include "../text_judge.hpp"
#include "machine.hpp"
#include "random_program.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::random_program;

using stores = tg::dynamic_array<std::pair<std::uint64_t, std::uint32_t>>;

std::array<stores, 32> run(const function& f) {
  std::array<stores, 32> out;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    machine one{f, lane, {0x10000000, 0x20000000, 12345}};
    one.run();
    out[lane] = std::move(one.stores);
  }
  return out;
}

using pass = void (*)(function&);
struct named_pass {
  const char* name;
  pass apply;
};

// With the uses that it asks for counted first.
template <void (*Pass)(function&, const tg::dynamic_array<register_use>&)> void alone(function& f) { Pass(f, count_uses(f)); }

constexpr named_pass passes[] = {
    {"forward_copies", alone<forward_copies>},
    {"fold_constants", alone<fold_constants>},
    {"split_fields", [](function& f) { split_fields(f, count_uses(f)); }},
    {"reduce_strength", alone<reduce_strength>},
    {"merge_equal", merge_equal},
    {"split_swizzles", alone<split_swizzles>},
    {"fold_offsets", fold_offsets},
    {"remove_dead", remove_dead},
    {"contract", contract},
    {"lower_bf16", lower_bf16},
    {"hoist_invariants", hoist_invariants},
    {"walk_rows", walk_rows},
    {"coalesce_copies", coalesce_copies},
    {"predicate_branches", predicate_branches},
    {"flatten", flatten},
};

}  // namespace

TEST_CASE("a random program stores the same after all passes") {
  std::size_t before = 0, after = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    module m = random_program(seed).make(12);
    const auto expected = run(m.functions[0]);
    before += m.functions[0].body.size();
    optimize(m);
    after += m.functions[0].body.size();
    CHECK(run(m.functions[0]) == expected);
  }
  CHECK(after < before);
}

TEST_CASE("a random program stores the same after each pass alone") {
  for (const named_pass& one : passes) {
    for (unsigned seed = 1000; seed < 1060; ++seed) {
      CAPTURE(std::string(one.name));
      CAPTURE(seed);
      module m = random_program(seed).make(10);
      const auto expected = run(m.functions[0]);
      one.apply(m.functions[0]);
      CHECK(run(m.functions[0]) == expected);
    }
  }
}

TEST_CASE("the function is well-formed after each pass") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    module m = random_program(seed).make(10);
    for (const named_pass& one : passes) {
      CAPTURE(std::string(one.name));
      one.apply(m.functions[0]);
      module filled = m;
      drop_empty(filled.functions[0]);
      CHECK_NOTHROW(verify(filled));
    }
  }
}

TEST_CASE("the texts of random programs are read back equal and assembled") {
  tg::ptx::test::say_whether_ptxas_judges();
  for (unsigned seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    module m = random_program(seed).make(12);
    m.functions[0].is_entry = true;
    optimize(m);
    make_canonical(m);
    derive_requirements(m);
    for (const std::string& complaint : tg::ptx::test::text_complaints(m, print(m))) FAIL_CHECK(complaint);
  }
}

TEST_CASE("text from elsewhere, with labels, stays as it is") {
  tg::ptx::test::sketch s;
  s.use(s.op(opcode::add, token::u32, {operand::integer(1), operand::integer(2)}));
  s.b.emit(opcode::label, {}, {operand::named(operand_kind::label, 0)});
  s.f().label_count = 1;
  const std::string before = s.text();
  optimize(s.m);
  CHECK(s.text() == before);
}

TEST_CASE("saxpy: one address each, one fma, one branch; accesses keep number and line") {
  tg::ptx::test::sketch s;
  const operand x = s.parameter(token::u64), y = s.parameter(token::u64), a = s.parameter(token::f32),
                n = s.parameter(token::u32);
  const operand block = s.op(opcode::mov, token::u32, {operand::special(special::ctaid_x)});
  const operand thread = s.op(opcode::mov, token::u32, {operand::special(special::tid_x)});
  const operand start = s.op(opcode::mul, token::lo, token::u32, {block, operand::integer(256)});
  const operand i = s.op(opcode::add, token::u32, {start, thread});
  const auto element = [&](operand base) {
    const operand bytes = s.op(opcode::mul, token::wide, token::u32, {i, operand::integer(4)});
    return operand::address(s.op(opcode::add, token::s64, {base, bytes}));
  };
  s.if_(s.set(token::lt, token::u32, i, n));
  s.b.at({"saxpy.cpp", 9});
  const operand from_x = s.b.compute(token::f32, opcode::ld, {token::global, token::nc, token::f32}, {element(x)});
  s.f().body.back().access = 0;
  const operand from_y = s.b.compute(token::f32, opcode::ld, {token::global, token::f32}, {element(y)});
  s.f().body.back().access = 1;
  const operand sum = s.op(opcode::add, token::f32, {s.op(opcode::mul, token::f32, {a, from_x}), from_y});
  s.b.emit(opcode::st, {token::global, token::f32}, {element(y), sum}).access = 2;
  s.endif();
  s.b.emit(opcode::ret, {}, {});
  optimize(s.m);
  CHECK(s.text() ==
        "ld.param.u64 r0, [p0]\nld.param.u64 r1, [p1]\nld.param.f32 r2, [p2]\nld.param.u32 r3, [p3]\nmov.u32 r4, "
        "%ctaid.x\n"
        "mov.u32 r5, %tid.x\nshl.b32 r6, r4, 8\nadd.u32 r7, r6, r5\nsetp.lt.u32 r8, r7, r3\n@!r8 bra L0\nmul.wide.u32 "
        "r9, r7, 4\n"
        "add.s64 r10, r0, r9\nld.global.nc.f32 r11, [r10]\nadd.s64 r12, r1, r9\nld.global.f32 r13, [r12]\n"
        "fma.rn.f32 r14, r2, r11, r13\nst.global.f32 [r12], r14\n<label> L0\nret\n");
  std::uint32_t next = 0;
  for (const instruction& one : s.f().body)
    if (one.access != no_index) {
      CHECK(one.access == next++);
      CHECK(one.where.line == 9);
    }
  CHECK(next == 3);
}

TEST_CASE("a matrix column by column: the loop keeps only what changes") {
  tg::ptx::test::sketch s;
  const operand x = s.parameter(token::u64), width = s.parameter(token::u32), height = s.parameter(token::u32);
  const operand column = s.op(opcode::mov, token::u32, {operand::special(special::tid_x)});
  const operand sum = s.variable(token::f32), row = s.variable(token::u32);
  s.move(sum, operand::f32(0));
  s.move(row, operand::integer(0));
  s.loop();
  for (int c = 0; c < 3; ++c) {
    const operand right = s.op(opcode::add, token::u32, {column, operand::integer(c)});
    const operand before = s.op(opcode::mul, token::lo, token::u32, {s.read(row), width});
    const operand index = s.op(opcode::add, token::u32, {before, right});
    const operand bytes = s.op(opcode::mul, token::wide, token::u32, {index, operand::integer(4)});
    const operand v = s.load(token::global, token::f32, operand::address(s.op(opcode::add, token::s64, {x, bytes})));
    s.move(sum, s.op(opcode::add, token::f32, {s.read(sum), v}));
  }
  s.move(row, s.op(opcode::add, token::u32, {s.read(row), operand::integer(1)}));
  s.endloop(s.set(token::lt, token::u32, s.read(row), height));
  s.use(s.read(sum), token::f32);
  optimize(s.m);
  CHECK(s.text() == "ld.param.u64 r0, [p0]\nld.param.u32 r1, [p1]\nld.param.u32 r2, [p2]\nmov.u32 r3, %tid.x\nmov.f32 r4, "
                    "f32:0.000000\n"
                    "mov.u32 r5, 0\n<label> L0\nmad.lo.u32 r6, r5, r1, r3\nmul.wide.u32 r7, r6, 4\nadd.s64 r8, r0, r7\n"
                    "ld.global.f32 r9, [r8]\nadd.f32 r4, r4, r9\nld.global.f32 r10, [r8+4]\nadd.f32 r4, r4, r10\n"
                    "ld.global.f32 r11, [r8+8]\nadd.f32 r4, r4, r11\n"
                    "add.u32 r5, r5, 1\nsetp.lt.u32 r12, r5, r2\n@r12 bra L0\nst.global.f32 [v0], r4\nret\n");
}

TEST_CASE("the same program gives the same text") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    module first = random_program(seed).make(12), second = random_program(seed).make(12);
    optimize(first);
    optimize(second);
    CHECK(first == second);
  }
}

TEST_CASE("what a pass inserts does not keep words behind it from being forwarded") {
  tg::ptx::test::sketch s;
  s.use(s.op(opcode::div, token::u32, {s.parameter(token::u32), operand::integer(7)}));  // becomes several instructions
  const operand low = s.variable(token::b16), high = s.variable(token::b16), word = s.parameter(token::b32);
  s.b.emit(opcode::mov, {token::b32}, {s.vector({low, high}), word});
  s.use(s.b.compute(token::b32, opcode::mov, {token::b32}, {s.vector({low, high})}), token::b32);
  optimize(s.m);
  CHECK(s.text().find("mov.b32") == std::string::npos);
}
