#include <tg/ptx/meaning/register_uses.hpp>

#include <doctest/doctest.h>

#include <tg/base/dynamic_array.hpp>
#include <utility>

#include "../passes/sketch.hpp"

namespace {
using namespace tg::ptx;
using tg::ptx::test::sketch;
}  // namespace

TEST_CASE("reads and writes are found in addresses, vectors, pairs and guards") {
  sketch s;
  const operand a = s.variable(token::u64), p = s.variable(token::pred), q = s.variable(token::pred);
  const operand parts[] = {s.variable(token::f32), s.variable(token::f32)};
  s.b.emit(opcode::ld, {token::global, token::v2, token::f32}, {s.f().new_vector(parts), sketch::at(a, 8)}).guard = p.id;
  s.b.emit(opcode::setp, {token::lt, token::f32}, {s.f().new_pair(p, q), parts[0], operand::f32(1)});
  tg::dynamic_array<std::uint32_t> read, written;
  for (const instruction& i : s.f().body) {
    for_each_read(s.f(), i, [&](std::uint32_t r) { read.push_back(r); });
    for_each_written(s.f(), i, [&](std::uint32_t r) { written.push_back(r); });
  }
  CHECK(read == tg::dynamic_array{p.id, a.id, parts[0].id});
  CHECK(written == tg::dynamic_array{parts[0].id, parts[1].id, p.id, q.id});
}

TEST_CASE("every register an instruction touches is visited") {
  function f;
  f.registers.resize(6);
  instruction i(
      opcode::ld, {token::global, token::v2, token::b32},
      {f.new_vector(tg::dynamic_array<operand>{operand::reg(1), operand::reg(2)}), operand::address(operand::reg(3))});
  i.guard = 4;
  tg::dynamic_array<std::uint32_t> reads, writes;
  const auto visit = [&] {
    reads.clear();
    writes.clear();
    for_each_read(f, i, [&](std::uint32_t r) { reads.push_back(r); });
    for_each_written(f, i, [&](std::uint32_t r) { writes.push_back(r); });
  };
  visit();
  CHECK(reads == tg::dynamic_array<std::uint32_t>{4, 3});
  CHECK(writes == tg::dynamic_array<std::uint32_t>{1, 2});
  i.op = opcode::st;
  std::swap(i[0], i[1]);
  visit();
  CHECK(reads == tg::dynamic_array<std::uint32_t>{4, 3, 1, 2});
  CHECK(writes.empty());
}

TEST_CASE("an accumulator in place is read and written") {
  sketch s;
  const operand d = s.variable(token::f32);
  s.b.emit(opcode::wgmma, {token::mma_async, token::f32},
           {s.f().new_vector({&d, 1}), s.variable(token::b64), s.variable(token::b64)});
  const auto uses = count_uses(s.f());
  CHECK(uses[d.id].reads == 1);
  CHECK(uses[d.id].definitions == 1);
  std::size_t sources = 0;
  for_each_source(s.f(), s.f().body.back(), [&](std::uint32_t r) {
    CHECK(r != d.id);
    ++sources;
  });
  CHECK(sources == 2);
}

TEST_CASE("the left operand of a product in registers is the product's own; sums that are overwritten are not read") {
  sketch s;
  const operand d = s.variable(token::f32), a = s.variable(token::b32);
  s.b.emit(opcode::wgmma, {token::mma_async, token::f32},
           {s.f().new_vector({&d, 1}), s.f().new_vector({&a, 1}), s.variable(token::b64), operand::integer(0)});
  const auto uses = count_uses(s.f());
  CHECK(uses[d.id].reads == 0);
  CHECK(uses[d.id].definitions == 1);
  CHECK(uses[a.id].reads == 1);
  CHECK(uses[a.id].definitions == 1);
  s.b.emit(opcode::wgmma, {token::wait_group}, {operand::integer(0)});
  CHECK(is_deferred_product(s.f().body[0]));
  CHECK_FALSE(is_deferred_product(s.f().body[1]));
}

TEST_CASE("values are written once") {
  sketch s;
  const operand v = s.variable(token::u32), never = s.variable(token::u32);
  s.move(v, operand::integer(1));
  const operand t = s.read(v);
  s.move(v, t);
  const auto uses = count_uses(s.f());
  CHECK_FALSE(uses[v.id].is_value());
  CHECK(uses[v.id].definition == 2);
  CHECK(uses[t.id].is_value());
  CHECK_FALSE(uses[never.id].is_value());
  const auto written = count_definitions(s.f());
  for (std::size_t r = 0; r < uses.size(); ++r) {
    CHECK(written[r].definition == uses[r].definition);
    CHECK(written[r].definitions == uses[r].definitions);
    CHECK(written[r].reads == 0);
  }
}

TEST_CASE("registers of one class replace each other") {
  sketch s;
  const std::uint32_t u = s.variable(token::u32).id, b = s.variable(token::b32).id, f = s.variable(token::f32).id;
  CHECK(can_replace(s.f(), u, b));
  CHECK_FALSE(can_replace(s.f(), f, b));
  CHECK_FALSE(can_replace(s.f(), b, f));
}
