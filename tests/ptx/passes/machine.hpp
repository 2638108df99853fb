// One lane that runs a function of the IR, structured or flat: what the passes are compared with. Knows only the
// instructions that the tests use, and shares no code with the passes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/type.hpp>
#include <utility>

namespace tg::ptx::test {

struct machine {
  using u64 = std::uint64_t;
  using i64 = std::int64_t;

  const function& f;
  u64 lane = 0;
  tg::dynamic_array<u64> params = {};
  tg::dynamic_array<u64> registers = tg::dynamic_array<u64>(f.registers.size());
  std::map<u64, std::uint32_t> memory = {};
  tg::dynamic_array<std::pair<u64, std::uint32_t>> stores = {};
  std::size_t steps = 0, step_limit = 1000000;

  static u64 cut(u64 value, int bits) { return bits >= 64 ? value : value & ((u64{1} << bits) - 1); }
  static i64 extend(u64 value, int bits) {
    if (bits >= 64) return static_cast<i64>(value);
    const u64 sign = u64{1} << (bits - 1);
    return static_cast<i64>((cut(value, bits) ^ sign) - sign);
  }

  u64 value(const operand& o, int bits) const {
    switch (o.kind) {
      case operand_kind::reg: return cut(o.negated ? ~registers[o.id] : registers[o.id], bits);
      case operand_kind::special: return lane;
      case operand_kind::variable: return 0x100 + 0x1000 * o.id;
      default: return cut(static_cast<u64>(o.value), bits);
    }
  }

  bool is_true(const operand& o) const {
    return o.is_reg() ? (registers[o.id] & 1) != u64{o.negated} : (o.value != 0) != o.negated;
  }

  std::uint32_t load(u64 address) const {
    const auto at = memory.find(address);
    if (at != memory.end()) return at->second;
    u64 h = address * 0x9e3779b97f4a7c15ull;
    return static_cast<std::uint32_t>(h >> 37) ^ static_cast<std::uint32_t>(h);
  }

  u64 address_of(const operand& o) const {
    const u64 base = o.base == operand_kind::reg        ? registers[o.id]
                     : o.base == operand_kind::variable ? 0x100 + 0x1000 * o.id
                                                        : 0;
    const bool is_narrow =
        o.base == operand_kind::variable || (o.base == operand_kind::reg && width_bits(f.registers[o.id].type) == 32);
    return cut(base + static_cast<u64>(o.value), is_narrow ? 32 : 64);
  }

  static u64 multiply_high(u64 a, u64 b, int bits, bool is_signed_type) {
    __extension__ typedef __int128 wide;
    __extension__ typedef unsigned __int128 unsigned_wide;
    if (is_signed_type) return static_cast<u64>((wide{extend(a, bits)} * extend(b, bits)) >> bits);
    return static_cast<u64>((unsigned_wide{cut(a, bits)} * cut(b, bits)) >> bits);
  }

  static u64 divide(u64 a, u64 b, int bits, bool is_signed_type, bool remainder) {
    if (cut(b, bits) == 0) return remainder ? a : ~u64{0};
    if (!is_signed_type) return remainder ? cut(a, bits) % cut(b, bits) : cut(a, bits) / cut(b, bits);
    const i64 n = extend(a, bits), d = extend(b, bits);
    if (d == -1) return remainder ? 0 : 0 - a;
    return static_cast<u64>(remainder ? n % d : n / d);
  }

  static bool compare(token how, u64 a, u64 b, token type) {
    int order;
    if (type == token::f32) {
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                  y = std::bit_cast<float>(static_cast<std::uint32_t>(b));
      if (std::isnan(x) || std::isnan(y)) return false;
      order = x < y ? -1 : x > y;
    } else if (is_signed(type)) {
      const i64 x = extend(a, width_bits(type)), y = extend(b, width_bits(type));
      order = x < y ? -1 : x > y;
    } else {
      order = a < b ? -1 : a > b;
    }
    switch (how) {
      case token::eq: return order == 0;
      case token::ne: return order != 0;
      case token::lt: return order < 0;
      case token::le: return order <= 0;
      case token::gt: return order > 0;
      case token::ge: return order >= 0;
      default: throw std::runtime_error("comparison");
    }
  }

  u64 compute(const instruction& i) const {
    const token type = i.type();
    const int bits = width_bits(type);
    const bool s = is_signed(type);
    const auto in = [&](std::size_t k) { return value(i[k], bits); };
    if (type == token::f32) return compute_float(i);
    switch (i.op) {
      case opcode::mov: return in(1);
      case opcode::add: return in(1) + in(2);
      case opcode::sub: return in(1) - in(2);
      case opcode::mul:
        if (i.has(token::hi)) return multiply_high(in(1), in(2), bits, s);
        if (i.has(token::wide) && s) return static_cast<u64>(extend(in(1), bits) * extend(in(2), bits));
        return in(1) * in(2);
      case opcode::mad:
        if (i.has(token::wide))
          return (s ? static_cast<u64>(extend(in(1), bits) * extend(in(2), bits)) : in(1) * in(2)) + value(i[3], 2 * bits);
        return in(1) * in(2) + in(3);
      case opcode::div: return divide(in(1), in(2), bits, s, false);
      case opcode::rem: return divide(in(1), in(2), bits, s, true);
      case opcode::and_: return in(1) & in(2);
      case opcode::prmt: {
        u64 out = 0;
        for (int k = 0; k < 4; ++k) {
          const u64 from = in(3) >> 4 * k & 15, byte = (in(1) | in(2) << 32) >> 8 * (from & 7) & 255;
          out |= (from < 8 ? byte : byte >> 7 != 0 ? 255 : 0) << 8 * k;
        }
        return out;
      }
      case opcode::or_: return in(1) | in(2);
      case opcode::xor_: return in(1) ^ in(2);
      case opcode::not_: return ~in(1);
      case opcode::neg: return 0 - in(1);
      case opcode::abs: return extend(in(1), bits) < 0 ? 0 - in(1) : in(1);
      case opcode::min: return compare(token::lt, in(1), in(2), type) ? in(1) : in(2);
      case opcode::max: return compare(token::lt, in(1), in(2), type) ? in(2) : in(1);
      case opcode::shl: {
        const u64 by = value(i[2], 32);
        return by >= static_cast<u64>(bits) ? 0 : in(1) << by;
      }
      case opcode::shr: {
        const u64 by = value(i[2], 32);
        if (s) return static_cast<u64>(extend(in(1), bits) >> (by >= static_cast<u64>(bits) ? bits - 1 : static_cast<int>(by)));
        return by >= static_cast<u64>(bits) ? 0 : in(1) >> by;
      }
      case opcode::setp: return compare(i.token_array[0], in(1), in(2), type);
      case opcode::selp: return is_true(i[3]) ? in(1) : in(2);
      case opcode::cvt: return s ? static_cast<u64>(extend(in(1), bits)) : in(1);
      default: throw std::runtime_error("opcode " + std::string(name(i.op)));
    }
  }

  u64 compute_float(const instruction& i) const {
    const auto in = [&](std::size_t k) { return std::bit_cast<float>(static_cast<std::uint32_t>(value(i[k], 32))); };
    const auto out = [](float x) { return u64{std::bit_cast<std::uint32_t>(x)}; };
    switch (i.op) {
      case opcode::mov: return value(i[1], 32);
      case opcode::add: return out(in(1) + in(2));
      case opcode::sub: return out(in(1) - in(2));
      case opcode::mul: return out(in(1) * in(2));
      case opcode::fma: return out(std::fma(in(1), in(2), in(3)));
      case opcode::neg: return out(-in(1));
      case opcode::selp: return is_true(i[3]) ? value(i[1], 32) : value(i[2], 32);
      case opcode::setp: return compare(i.token_array[0], value(i[1], 32), value(i[2], 32), token::f32);
      default: throw std::runtime_error("float opcode " + std::string(name(i.op)));
    }
  }

  void execute(const instruction& i) {
    if (i.op == opcode::ld) {
      const u64 got = i.has(token::param) ? params[i[1].id] : load(address_of(i[1]));
      registers[i[0].id] = cut(got, width_bits(i.type()));
    } else if (i.op == opcode::st) {
      const u64 address = address_of(i[0]);
      const auto written = static_cast<std::uint32_t>(value(i[1], 32));
      memory[address] = written;
      stores.emplace_back(address, written);
    } else {
      registers[i[0].id] = cut(compute(i), width_bits(f.registers[i[0].id].type));
    }
  }

  std::size_t matching(std::size_t at, bool stop_at_else) const {
    int depth = 0;
    for (std::size_t n = at + 1;; ++n) {
      const opcode op = f.body[n].op;
      if (depth == 0 && (op == opcode::endif || (stop_at_else && op == opcode::else_))) return n;
      depth += (op == opcode::if_) - (op == opcode::endif);
    }
  }

  std::size_t loop_of(std::size_t at) const {
    for (int depth = 0;; --at) {
      const opcode op = f.body[at].op;
      depth += (op == opcode::endloop) - (op == opcode::loop);
      if (depth == 0) return at;
    }
  }

  std::size_t label(std::uint32_t id) const {
    for (std::size_t n = 0; n < f.body.size(); ++n)
      if (f.body[n].op == opcode::label && f.body[n][0].id == id) return n;
    throw std::runtime_error("label");
  }

  void run() {
    for (std::size_t n = 0; n < f.body.size(); ++n) {
      const instruction& i = f.body[n];
      if (++steps > step_limit) throw std::runtime_error("endless");
      if (i.is_guarded() && (registers[i.guard] & 1) == u64{i.guard_negated}) continue;
      switch (i.op) {
        case opcode::none:
        case opcode::endif:
        case opcode::loop:
        case opcode::label: break;
        case opcode::if_:
          if (!is_true(i[0])) n = matching(n, true);
          break;
        case opcode::else_: n = matching(n, false); break;
        case opcode::endloop:
          if (is_true(i[0])) n = loop_of(n);
          break;
        case opcode::bra: n = label(i[0].id); break;
        case opcode::ret: return;
        default: execute(i);
      }
    }
  }
};

}  // namespace tg::ptx::test
