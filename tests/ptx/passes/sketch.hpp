// Short words to write a function with, and its body as text, for tests of the passes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/special_name.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <utility>
#include <vector>

namespace tg::ptx {

/// Takes out the instructions that a pass has emptied.
inline void drop_empty(function& f) {
  tg::erase_if(f.body, [](const instruction& i) { return i.op == opcode::none; });
}

namespace test {

struct sketch {
  module m = one_function();
  builder b{m, 0};

  using operands = std::initializer_list<operand>;
  using tokens = std::initializer_list<token>;

  static operand imm(std::int64_t value) { return operand::integer(value); }
  static operand at(const operand& base, std::int64_t offset = 0) { return operand::address(base, offset); }

  function& f() { return b.fn(); }
  operand variable(token type) { return operand::reg(f().new_register(type)); }
  /// A parameter read into a register: a value nobody knows.
  operand parameter(token type) {
    f().params.push_back({.type = type});
    const operand from = operand::named(operand_kind::param, static_cast<std::uint32_t>(f().params.size() - 1));
    return b.compute(type, opcode::ld, {token::param, type}, {at(from)});
  }
  operand op(opcode o, token type, operands sources) { return b.compute(type, o, {type}, sources); }
  operand op(opcode o, token modifier, token type, operands sources) {
    return b.compute(modifier == token::wide ? token::u64 : type, o, {modifier, type}, sources);
  }
  operand set(token comparison, token type, operand x, operand y) {
    return b.compute(token::pred, opcode::setp, {comparison, type}, {x, y});
  }
  void move(operand to, operand from) {
    const token type = f().registers[to.id].type;
    b.emit(opcode::mov, {type}, {to, from});
  }
  operand read(operand v) { return op(opcode::mov, f().registers[v.id].type, {v}); }
  operand vector(operands parts) { return f().new_vector({parts.begin(), parts.size()}); }
  void if_(operand p) { b.emit(opcode::if_, {}, {p}); }
  void else_() { b.emit(opcode::else_, {}, {}); }
  void endif() { b.emit(opcode::endif, {}, {}); }
  void loop() { b.emit(opcode::loop, {}, {}); }
  void endloop(operand p) { b.emit(opcode::endloop, {}, {p}); }
  operand load(token space, token type, operand address) { return b.compute(type, opcode::ld, {space, type}, {address}); }
  void store(operand address, operand v, token type = token::u32) { b.emit(opcode::st, {token::global, type}, {address, v}); }
  /// An access that keeps `v` alive.
  void use(operand v, token type = token::u32) { store(at(operand::named(operand_kind::variable, 0)), v, type); }

  /// The body, an instruction per line; registers are numbered as they appear.
  std::string text() {
    names_.clear();
    std::string out;
    for (const instruction& i : f().body) {
      if (i.is_guarded()) out += std::string(i.guard_negated ? "@!" : "@") + reg(i.guard) + " ";
      out += name(i.op);
      for (const token t : i.tokens()) out.append(".").append(name(t));
      for (std::size_t k = 0; k < i.operand_count; ++k) out += (k == 0 ? " " : ", ") + spell(i[k]);
      out += "\n";
    }
    return out;
  }

  std::size_t count(opcode o) {
    std::size_t n = 0;
    for (const instruction& i : f().body) n += i.op == o;
    return n;
  }

 private:
  static module one_function() {
    module m;
    m.functions.emplace_back().name = "f";
    m.variables.push_back({.space = token::global, .type = token::b64, .name = "g"});
    m.variables.push_back({.space = token::shared, .type = token::b32, .count = 64, .name = "tile"});
    return m;
  }

  std::string reg(std::uint32_t id) {
    const auto [place, is_new] = names_.try_emplace(id, "r" + std::to_string(names_.size()));
    return place->second;
  }

  std::string spell(const operand& o) {
    const std::string not_ = o.negated ? "!" : "";
    switch (o.kind) {
      case operand_kind::reg: return not_ + reg(o.id);
      case operand_kind::special: return "%" + std::string(name(static_cast<special>(o.id)));
      case operand_kind::integer: return not_ + std::to_string(o.value);
      case operand_kind::f32: return "f32:" + std::to_string(std::bit_cast<float>(static_cast<std::uint32_t>(o.value)));
      case operand_kind::f64: return "f64:" + std::to_string(std::bit_cast<double>(o.value));
      case operand_kind::variable: return "v" + std::to_string(o.id);
      case operand_kind::param: return "p" + std::to_string(o.id);
      case operand_kind::label: return "L" + std::to_string(o.id);
      case operand_kind::address: {
        const std::string base = o.base == operand_kind::none ? "" : spell({.kind = o.base, .id = o.id});
        return "[" + base + (o.value != 0 ? (o.value > 0 ? "+" : "") + std::to_string(o.value) : "") + "]";
      }
      case operand_kind::vector:
      case operand_kind::pair: {
        std::string out = "{";
        for (const operand& part : f().parts(o)) out += (out.size() > 1 ? " " : "") + spell(part);
        return out + "}";
      }
      default: return "?";
    }
  }

  std::map<std::uint32_t, std::string> names_;
};

}  // namespace test
}  // namespace tg::ptx
