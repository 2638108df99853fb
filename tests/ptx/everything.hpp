// A module made by hand with one of everything that can be printed.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/ptx/ir/builder.hpp>

namespace tg::ptx::test {

inline variable make_variable(token space, token type, std::string name, std::int64_t count = 0) {
  variable v;
  v.space = space;
  v.type = type;
  v.count = count;
  v.name = std::move(name);
  return v;
}

inline tg::dynamic_array<std::byte> bytes(std::initializer_list<int> values) {
  tg::dynamic_array<std::byte> out;
  for (const int v : values) out.push_back(static_cast<std::byte>(v));
  return out;
}

/// `y = a * x + y` over `n` elements, as a front end would write it.
inline module make_saxpy() {
  module m;
  m.version = {7, 0};
  m.sm = 75;
  function f;
  f.name = "saxpy";
  f.bounds.max_threads = {256, 1, 1};
  f.params = {make_variable(token::none, token::u64, "x"), make_variable(token::none, token::u64, "y"),
              make_variable(token::none, token::f32, "a"), make_variable(token::none, token::u32, "n")};
  f.label_count = 1;
  m.functions.push_back(f);
  builder b(m, 0);
  const auto param = [](std::uint32_t i) { return operand::address(operand::named(operand_kind::param, i)); };
  const operand end = operand::named(operand_kind::label, 0);
  b.at({"saxpy.cpp", 7});
  const operand tid = b.compute(token::b32, opcode::mov, {token::u32}, {operand::special(special::tid_x)});
  const operand block = b.compute(token::b32, opcode::mov, {token::u32}, {operand::special(special::ctaid_x)});
  const operand i = b.compute(token::b32, opcode::mad, {token::lo, token::s32}, {block, operand::integer(256), tid});
  b.at({"saxpy.cpp", 8});
  const operand n = b.compute(token::b32, opcode::ld, {token::param, token::u32}, {param(3)});
  const operand past = b.compute(token::pred, opcode::setp, {token::ge, token::u32}, {i, n});
  instruction& skip = b.emit(opcode::bra, {}, {end});
  skip.guard = past.id;
  b.at({"saxpy.cpp", 9});
  const operand x = b.compute(token::b64, opcode::ld, {token::param, token::u64}, {param(0)});
  const operand y = b.compute(token::b64, opcode::ld, {token::param, token::u64}, {param(1)});
  const operand a = b.compute(token::f32, opcode::ld, {token::param, token::f32}, {param(2)});
  const operand offset = b.compute(token::b64, opcode::mul, {token::wide, token::u32}, {i, operand::integer(4)});
  const operand at_x = b.compute(token::b64, opcode::add, {token::s64}, {x, offset});
  const operand at_y = b.compute(token::b64, opcode::add, {token::s64}, {y, offset});
  const operand vx = b.compute(token::f32, opcode::ld, {token::global, token::nc, token::f32}, {operand::address(at_x)});
  const operand vy = b.compute(token::f32, opcode::ld, {token::global, token::f32}, {operand::address(at_y)});
  const operand sum = b.compute(token::f32, opcode::fma, {token::rn, token::f32}, {a, vx, vy});
  b.emit(opcode::st, {token::global, token::f32}, {operand::address(at_y), sum});
  b.at({"saxpy.cpp", 10});
  b.emit(opcode::label, {}, {end});
  b.emit(opcode::ret, {}, {});
  return m;
}

/// Variables with values and addresses, functions declared, defined and called, tables, every kind of operand.
inline module make_everything() {
  module m;
  m.version = {8, 0};
  m.sm = 90;
  m.target_suffix = "a";

  variable table = make_variable(token::global, token::u64, "table", 3);
  table.initial.resize(24);
  table.initial[16] = std::byte{7};
  table.relocations = {{0, operand::named(operand_kind::variable, 0), true},
                       {8, operand::named(operand_kind::function, 1), false}};
  table.relocations[0].target.value = 12;
  variable scalar = make_variable(token::global, token::f32, "scalar");
  scalar.visible = true;
  scalar.initial = bytes({0, 0, 0x80, 0x3f});
  variable packed = make_variable(token::const_, token::u8, "packed", 10);
  packed.align = 8;
  packed.initial = bytes({9, 255, 0, 0, 0, 0, 0, 0, 0, 0});
  packed.relocations = {{2, operand::named(operand_kind::variable, 0), true}};
  packed.relocations[0].target.value = 4;
  variable dynamic = make_variable(token::shared, token::b8, "dynamic", -1);
  dynamic.external = true;
  dynamic.align = 16;
  variable managed = make_variable(token::global, token::b32, "managed");
  managed.managed = true;
  variable doubles = make_variable(token::const_, token::f64, "doubles", 2);
  doubles.initial = bytes({0, 0, 0, 0, 0, 0, 0xf0, 0x3f});
  m.variables = {scalar, table, packed, dynamic, managed, doubles};

  function declared;
  declared.name = "vprintf";
  declared.is_entry = false;
  declared.is_external = true;
  declared.results = {make_variable(token::none, token::b32, "result")};
  declared.params = {make_variable(token::none, token::b64, "format"), make_variable(token::none, token::b64, "values")};
  function callee;
  callee.name = "twice";
  callee.is_entry = false;
  callee.is_visible = false;
  callee.results = {make_variable(token::none, token::b32, "out")};
  callee.params = {make_variable(token::none, token::b32, "in")};
  callee.registers = {{token::b32}};
  const auto at = [](operand_kind kind, std::uint32_t id, std::int64_t offset = 0) {
    return operand::address(operand::named(kind, id), offset);
  };
  callee.body = {
      {opcode::ld, {token::param, token::b32}, {operand::reg(0), at(operand_kind::param, 0)}},
      {opcode::shl, {token::b32}, {operand::reg(0), operand::reg(0), operand::integer(1)}},
      {opcode::st, {token::param, token::b32}, {at(operand_kind::param, 1), operand::reg(0)}},
      {opcode::ret, {}, {}},
  };
  function kernel;
  kernel.name = "kernel";
  kernel.bounds.required_threads = {64, 2, 1};
  kernel.bounds.min_blocks_per_sm = 2;
  kernel.bounds.max_registers = 128;
  kernel.bounds.cluster = {2, 1, 1};
  variable block = make_variable(token::none, token::b8, "block", 32);
  block.align = 8;
  kernel.params = {block, make_variable(token::none, token::u64, "pointer")};
  variable tile = make_variable(token::shared, token::f32, "tile", 32);
  tile.align = 16;
  kernel.locals = {tile, make_variable(token::local, token::b32, "spill", 4),
                   make_variable(token::param, token::b32, "argument"), make_variable(token::param, token::b32, "answer")};
  kernel.prototypes.resize(1);
  kernel.prototypes[0].results = {make_variable(token::none, token::b32, "")};
  kernel.prototypes[0].params = {make_variable(token::none, token::b32, "")};
  kernel.label_count = 3;
  m.functions = {declared, callee, kernel};

  builder b(m, 2);
  function& f = b.fn();
  const auto reg = [&](token type) { return operand::reg(f.new_register(type)); };
  const operand p = reg(token::pred), q = reg(token::pred), h = reg(token::b16), r = reg(token::b32), s = reg(token::b32),
                l = reg(token::b64), x = reg(token::f32), y = reg(token::f32), d = reg(token::f64), wide = reg(token::b128);
  const auto list = [&](std::initializer_list<operand> parts) { return f.new_vector(tg::dynamic_array<operand>(parts)); };
  const operand first = operand::named(operand_kind::label, 0), second = operand::named(operand_kind::label, 1),
                third = operand::named(operand_kind::label, 2);
  b.at({"kernel.cpp", 3});
  b.emit(opcode::ld, {token::param, token::b32}, {r, at(operand_kind::param, 0, 12)});
  b.emit(opcode::ld, {token::param, token::u64}, {l, at(operand_kind::param, 1)});
  b.emit(opcode::mov, {token::u32}, {s, operand::named(operand_kind::local, 0)});
  b.emit(opcode::mov, {token::f32}, {x, operand::f32(-1.5f)});
  b.emit(opcode::mov, {token::f64}, {d, operand::f64(0.1)});
  b.emit(opcode::mov, {token::pred}, {q, operand::integer(1)});
  b.emit(opcode::cvt, {token::u16, token::u32}, {h, r});
  b.emit(opcode::setp, {token::lt, token::and_, token::s32}, {f.new_pair(p, q), r, operand::integer(-7), !q});
  b.emit(opcode::ld, {token::global, token::v2, token::f32}, {list({x, y}), operand::address(l, -8)});
  b.emit(opcode::ld, {token::global, token::v2, token::f32},
         {list({operand{.kind = operand_kind::sink}, y}), operand::address(l)});
  b.emit(opcode::mov, {token::b64}, {l, list({r, s})});
  b.emit(opcode::mov, {token::b128}, {wide, list({l, l})});
  instruction& store = b.emit(opcode::st, {token::shared, token::f32}, {at(operand_kind::local, 0, 4), x});
  store.guard = p.id;
  store.guard_negated = true;
  b.emit(opcode::st, {token::local, token::u32}, {at(operand_kind::local, 1, 8), r});
  b.at({"other.cpp", 20});
  b.emit(opcode::st, {token::param, token::b32}, {at(operand_kind::local, 2), r});
  b.emit(opcode::call, {token::uni},
         {list({operand::named(operand_kind::local, 3)}), operand::named(operand_kind::function, 1),
          list({operand::named(operand_kind::local, 2)})});
  b.emit(opcode::ld, {token::param, token::b32}, {r, at(operand_kind::local, 3)});
  b.emit(opcode::call, {},
         {list({operand::named(operand_kind::local, 3)}), l, list({operand::named(operand_kind::local, 2)}),
          operand::named(operand_kind::prototype, 0)});
  b.emit(opcode::call, {},
         {list({operand::named(operand_kind::local, 3)}), l, list({operand::named(operand_kind::local, 2)}),
          list({operand::named(operand_kind::function, 1)})});
  b.at({"kernel.cpp", 4});
  b.emit(opcode::label, {}, {first});
  b.emit(opcode::shfl, {token::sync, token::idx, token::b32},
         {f.new_pair(r, p), s, operand::integer(3), operand::integer(31), operand::integer(-1)});
  b.emit(opcode::brx, {token::idx}, {r, list({second, third, first})});
  b.emit(opcode::label, {}, {second});
  b.emit(opcode::bar, {token::sync}, {operand::integer(0)});
  instruction& back = b.emit(opcode::bra, {token::uni}, {first});
  back.guard = q.id;
  b.emit(opcode::label, {}, {third});
  b.emit(opcode::ret, {}, {});
  return m;
}

}  // namespace tg::ptx::test
