// Structured programs as the front end emits them, at random: variables, branches, loops, stores, divisions.
#pragma once

#include <cstdint>
#include <random>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/type.hpp>
#include <utility>

namespace tg::ptx::test {

class random_program {
 public:
  explicit random_program(unsigned seed) : random_(seed) { m_.functions.emplace_back().name = "f"; }

  /// A function of three parameters: two pointers and a u32.
  module make(int statements) {
    for (const auto& [type, name] : {std::pair{token::u64, "in"}, {token::u64, "out"}, {token::u32, "n"}})
      m_.functions[0].params.push_back({.type = type, .name = name});
  in_ = b_.compute(token::u64, opcode::ld, {token::param, token::u64}, {parameter(0)});
  out_ = b_.compute(token::u64, opcode::ld, {token::param, token::u64}, {parameter(1)});
  values_[0].push_back(b_.compute(token::u32, opcode::ld, {token::param, token::u32}, {parameter(2)}));
  values_[0].push_back(b_.compute(token::u32, opcode::mov, {token::u32}, {operand::special(special::tid_x)}));
  for (int k = 0; k < 12; ++k) {
    const int type = static_cast<int>(pick(4));
    const operand v = operand::reg(b_.fn().new_register(types[type]));
    b_.emit(opcode::mov, {types[type]}, {v, expression(type, 1)});
    variables_[type].push_back(v);
  }
  for (int type = 0; type < 4; ++type)  // a program variable is written more than once
    for (const operand& v : variables_[type]) b_.emit(opcode::mov, {types[type]}, {v, expression(type, 1)});
  block(statements, 0);
  for (int type = 0; type < 2; ++type)
    for (const operand& v : variables_[type]) store(read(v, type));
  b_.emit(opcode::ret, {}, {});
  return std::move(m_);
}

private : static constexpr token types[] = {token::u32, token::s32, token::u64, token::s64};
static constexpr token bits[] = {token::b32, token::b32, token::b64, token::b64};

std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
static operand parameter(std::uint32_t k) { return operand::address(operand::named(operand_kind::param, k)); }

operand constant(int type) {
  static constexpr std::int64_t favourites[] = {0,    1,  -1, 2,  3,  4,  5,    7,         8,         10,    12,
                                                16,   31, 32, 33, 60, 64, 100,  127,       255,       641,   1000,
                                                1024, -2, -3, -5, -7, -8, -128, INT32_MAX, INT32_MIN, 65536, 1000003};
  std::int64_t v = favourites[pick(std::size(favourites))];
  if (pick(6) == 0) v = static_cast<std::int64_t>(random_());
  return operand::integer(sign_extend(v, width_bits(types[type])));
}

operand read(const operand& v, int type) { return b_.compute(types[type], opcode::mov, {types[type]}, {v}); }

operand leaf(int type) {
  const std::uint32_t kind = pick(10);
  if (kind < 3) return constant(type);
  if (kind < 6 && !variables_[type].empty())
    return read(variables_[type][pick(static_cast<std::uint32_t>(variables_[type].size()))], type);
  if (!values_[type].empty()) return values_[type][pick(static_cast<std::uint32_t>(values_[type].size()))];
  return constant(type);
}

operand expression(int type, int depth) {
  if (depth == 0 || pick(5) == 0) return leaf(type);
  const token t = types[type], raw = bits[type];
  const operand a = expression(type, depth - 1);
  switch (pick(17)) {
    case 0:
    case 1: return b_.compute(t, opcode::add, {t}, {a, expression(type, depth - 1)});
    case 2: return b_.compute(t, opcode::sub, {t}, {a, expression(type, depth - 1)});
    case 3:
    case 4: return b_.compute(t, opcode::mul, {token::lo, t}, {a, expression(type, depth - 1)});
    case 5:
    case 6: return b_.compute(t, opcode::div, {t}, {a, nonzero(type)});
    case 7: return b_.compute(t, opcode::rem, {t}, {a, nonzero(type)});
    case 8: return b_.compute(t, opcode::and_, {raw}, {a, expression(type, depth - 1)});
    case 9: return b_.compute(t, opcode::or_, {raw}, {a, expression(type, depth - 1)});
    case 10: return b_.compute(t, opcode::xor_, {raw}, {a, expression(type, depth - 1)});
    case 11: return b_.compute(t, opcode::shl, {raw}, {a, operand::integer(pick(70))});
    case 12: return b_.compute(t, opcode::shr, {t}, {a, operand::integer(pick(70))});
    case 13: return b_.compute(t, pick(2) != 0 ? opcode::min : opcode::max, {t}, {a, expression(type, depth - 1)});
    case 14: return b_.compute(t, opcode::selp, {raw}, {a, expression(type, depth - 1), condition(depth - 1)});
    case 15: {
      if (type < 2) return b_.compute(t, opcode::mul, {token::hi, t}, {a, expression(type, depth - 1)});
      const int narrow = type - 2;
      const operand x = expression(narrow, depth - 1);
      if (pick(2) != 0) return b_.compute(t, opcode::cvt, {t, types[narrow]}, {x});
      return b_.compute(t, opcode::mul, {token::wide, types[narrow]}, {x, expression(narrow, depth - 1)});
    }
    default: return type == 0 ? load() : b_.compute(t, opcode::neg, {types[type | 1]}, {a});
  }
}

operand nonzero(int type) {
  operand c = constant(type);
  if (c.value == 0) c.value = 3;
  return c;
}

operand condition(int depth) {
  static constexpr token comparisons[] = {token::eq, token::ne, token::lt, token::le, token::gt, token::ge};
  const int type = static_cast<int>(pick(4));
  const operand a = expression(type, depth > 0 ? 1 : 0), c = expression(type, depth > 0 ? 1 : 0);
  const operand p = b_.compute(token::pred, opcode::setp, {comparisons[pick(6)], types[type]}, {a, c});
  if (pick(5) != 0) return p;
  const operand q = b_.compute(token::pred, opcode::setp, {comparisons[pick(6)], types[type]}, {c, a});
  return b_.compute(token::pred, pick(2) != 0 ? opcode::and_ : opcode::or_, {token::pred}, {p, q});
}

// An index that stays within 32 bits, with a constant that address folding can take.
operand element(const operand& base) {
  operand index = b_.compute(token::u32, opcode::and_, {token::b32}, {expression(0, 1), operand::integer(0xfff)});
  index = b_.compute(token::u32, opcode::add, {token::u32}, {index, operand::integer(5000)});
  if (pick(2) != 0)
    index = b_.compute(token::u32, opcode::add, {token::u32}, {index, operand::integer(static_cast<int>(pick(9)) - 4)});
  if (pick(4) == 0) index = b_.compute(token::u32, opcode::sub, {token::u32}, {index, operand::integer(pick(3))});
  const operand bytes = b_.compute(token::u64, opcode::mul, {token::wide, token::u32}, {index, operand::integer(4)});
  return operand::address(b_.compute(token::u64, opcode::add, {token::s64}, {base, bytes}));
}

operand load() {
  const operand from = element(in_);
  return b_.compute(token::u32, opcode::ld, {token::global, pick(2) != 0 ? token::nc : token::none, token::u32}, {from});
}

void store(const operand& v) {
  const operand to = element(out_);
  b_.emit(opcode::st, {token::global, token::u32}, {to, v});
}

void block(int statements, int depth) {
  const auto kept = std::to_array({values_[0].size(), values_[1].size(), values_[2].size(), values_[3].size()});
  for (int k = 0; k < statements; ++k) statement(depth);
  for (int type = 0; type < 4; ++type) values_[type].resize(kept[static_cast<std::size_t>(type)]);
}

void assign() {
  const int type = static_cast<int>(pick(4));
  if (variables_[type].empty()) return;
  const operand v = variables_[type][pick(static_cast<std::uint32_t>(variables_[type].size()))];
  b_.emit(opcode::mov, {types[type]}, {v, expression(type, 2)});
}

void statement(int depth) {
  switch (pick(depth < 3 ? 9 : 6)) {
    case 0:
    case 1:
    case 2: return assign();
    case 3:
    case 4: {
      const int type = static_cast<int>(pick(4));
      const operand v = expression(type, 2);
      if (v.is_reg()) values_[type].push_back(v);
      return;
    }
    case 5: return store(expression(0, 2));
    case 6:
    case 7: {
      operand p = condition(1);
      if (pick(4) == 0) p = !p;
      b_.emit(opcode::if_, {}, {p});
      block(1 + static_cast<int>(pick(3)), depth + 1);
      if (pick(2) != 0) {
        b_.emit(opcode::else_, {}, {});
        block(1 + static_cast<int>(pick(2)), depth + 1);
      }
      b_.emit(opcode::endif, {}, {});
      return;
    }
    default: {
      const operand counter = operand::reg(b_.fn().new_register(token::u32));
      b_.emit(opcode::mov, {token::u32}, {counter, operand::integer(pick(3))});
      b_.emit(opcode::loop, {}, {});
      values_[0].push_back(read(counter, 0));
      block(1 + static_cast<int>(pick(4)), depth + 1);
      values_[0].pop_back();
      b_.emit(opcode::mov, {token::u32},
              {counter, b_.compute(token::u32, opcode::add, {token::u32}, {read(counter, 0), operand::integer(1)})});
      const operand p = b_.compute(token::pred, opcode::setp, {token::lt, token::u32}, {read(counter, 0), operand::integer(3)});
      b_.emit(opcode::endloop, {}, {p});
      return;
    }
  }
}

std::mt19937_64 random_;
module m_;
builder b_{m_, 0};
operand in_, out_;
tg::dynamic_array<operand> values_[4];
tg::dynamic_array<operand> variables_[4];
};  // namespace tg::ptx::test

}  // namespace tg::ptx::test
