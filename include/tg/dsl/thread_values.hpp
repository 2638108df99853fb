// What a register of a flat function holds in each thread of a block, as far as the text says it: constants, coordinates
// of the thread, and 32-bit and 64-bit arithmetic and comparisons of these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <tg/analysis/warp.hpp>
#include <tg/ptx/passes/registers.hpp>

namespace tg::detail {

/// Follows the definitions of registers that are written once. Each register is followed once.
class thread_values {
 public:
  using row = std::vector<std::optional<std::int64_t>>;  // of each thread; predicates are 0 and 1

  /// Requires: a flat function.
  thread_values(const ptx::function& f, analysis::block_extent block, const std::vector<ptx::register_use>& uses)
      : f_(f), block_(block), uses_(uses) {}

  /// What the operand is in each thread; empty entries where it is not known.
  row of(const ptx::operand& o) { return of(o, 0); }
  row of_register(std::uint32_t reg) { return of_register(reg, 0); }

 private:
  static constexpr int deepest = 64;

  std::size_t threads() const { return static_cast<std::size_t>(block_.threads()); }

  row of(const ptx::operand& o, int depth) {
    if (o.is_reg()) return of_register(o.id, depth);
    row out(threads());
    if (o.is(ptx::operand_kind::integer)) std::fill(out.begin(), out.end(), o.value);
    if (!o.is(ptx::operand_kind::special)) return out;
    for (int t = 0; t < block_.threads(); ++t) out[static_cast<std::size_t>(t)] = coordinate(static_cast<ptx::special>(o.id), t);
    return out;
  }

  std::optional<std::int64_t> coordinate(ptx::special s, int thread) const {
    switch (s) {
      case ptx::special::tid_x: return thread % block_.x;
      case ptx::special::tid_y: return thread / block_.x % block_.y;
      case ptx::special::tid_z: return thread / (block_.x * block_.y);
      case ptx::special::ntid_x: return block_.x;
      case ptx::special::ntid_y: return block_.y;
      case ptx::special::ntid_z: return block_.z;
      case ptx::special::laneid: return thread % analysis::warp_lanes;
      default: return {};
    }
  }

  row of_register(std::uint32_t reg, int depth) {
    if (const auto known = known_.find(reg); known != known_.end()) return known->second;
    row out(threads());
    if (depth < deepest && uses_[reg].is_value()) {
      const ptx::instruction& i = f_.body[uses_[reg].definition];
      if (!i.is_guarded() && i.operand_count >= 2 && i.operand_count <= 4 && i[0].is_reg() && i[0].id == reg)
        out = of_instruction(i, depth + 1);
    }
    return known_[reg] = std::move(out);
  }

  row of_instruction(const ptx::instruction& i, int depth) {
    row out(threads());
    if (!is_followed(i)) return out;
    const row a = of(i[1], depth);
    const row b = i.operand_count > 2 ? of(i[2], depth) : row(threads());
    const row c = i.operand_count > 3 ? of(i[3], depth) : row(threads());
    for (std::size_t t = 0; t < threads(); ++t) {
      if (!a[t] || (i.operand_count > 2 && !b[t]) || (i.operand_count > 3 && !c[t])) continue;
      out[t] = apply(i, *a[t], b[t].value_or(0), c[t].value_or(0));
    }
    return out;
  }

  static bool is_followed(const ptx::instruction& i) {
    using ptx::opcode;
    using enum ptx::token;
    const ptx::token type = i.type();
    const bool is_integer = type == u32 || type == s32 || type == b32 || type == u64 || type == s64 || type == b64 || type == pred;
    if (!is_integer) return false;
    switch (i.op) {
      case opcode::mov: case opcode::not_: return i.operand_count == 2;
      case opcode::cvt:
        return i.operand_count == 2 && i.tokens().size() == 2 && type != pred &&
               (i.tokens()[0] == u32 || i.tokens()[0] == s32 || i.tokens()[0] == u64 || i.tokens()[0] == s64);
      case opcode::add: case opcode::sub: return i.operand_count == 3 && i.tokens().size() == 1;
      case opcode::and_: case opcode::or_: case opcode::xor_: case opcode::shl: case opcode::shr: case opcode::div:
      case opcode::rem: case opcode::min: case opcode::max: return i.operand_count == 3;
      case opcode::mul: return i.operand_count == 3 && i.has(lo);
      case opcode::mad: return i.operand_count == 4 && i.has(lo);
      case opcode::setp: return i.operand_count == 3 && i.tokens().size() == 2;
      default: return false;
    }
  }

  static bool is_wide(ptx::token t) { return t == ptx::token::u64 || t == ptx::token::s64 || t == ptx::token::b64; }

  // As the number that a register of this type holds.
  static std::int64_t held(std::uint64_t bits, ptx::token type) {
    if (type == ptx::token::pred) return static_cast<std::int64_t>(bits & 1);
    if (is_wide(type)) return static_cast<std::int64_t>(bits);
    const auto narrow = static_cast<std::uint32_t>(bits);
    return type == ptx::token::s32 ? std::int64_t{static_cast<std::int32_t>(narrow)} : std::int64_t{narrow};
  }

  static std::optional<std::int64_t> apply(const ptx::instruction& i, std::int64_t x, std::int64_t y, std::int64_t z) {
    using ptx::opcode;
    const ptx::token type = i.type();
    const std::int64_t a = held(static_cast<std::uint64_t>(x), type), b = held(static_cast<std::uint64_t>(y), type);
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    const bool is_signed = type == ptx::token::s32 || type == ptx::token::s64;
    const std::uint64_t bits = is_wide(type) ? 64 : 32;
    const auto number = [&](std::uint64_t n) { return std::optional(held(n, type)); };
    const bool is_less = is_signed ? a < b : ua < ub;
    switch (i.op) {
      case opcode::mov: return number(ua);
      case opcode::cvt: return held(ua, i.tokens()[0]);
      case opcode::not_: return number(~ua);
      case opcode::add: return number(ua + ub);
      case opcode::sub: return number(ua - ub);
      case opcode::mul: return number(ua * ub);
      case opcode::mad: return number(ua * ub + static_cast<std::uint64_t>(held(static_cast<std::uint64_t>(z), type)));
      case opcode::and_: return number(ua & ub);
      case opcode::or_: return number(ua | ub);
      case opcode::xor_: return number(ua ^ ub);
      case opcode::min: return is_less ? a : b;
      case opcode::max: return is_less ? b : a;
      case opcode::shl: return number(static_cast<std::uint32_t>(y) >= bits ? 0 : ua << static_cast<std::uint32_t>(y));
      case opcode::shr: {
        const std::uint64_t by = std::min<std::uint64_t>(static_cast<std::uint32_t>(y), bits);
        if (is_signed) return number(static_cast<std::uint64_t>(a >> std::min<std::uint64_t>(by, bits - 1)));
        return number(by >= bits ? 0 : ua >> by);
      }
      case opcode::div: case opcode::rem: {
        if (b == 0 || (is_signed && b == -1)) return {};
        const bool is_quotient = i.op == opcode::div;
        if (is_signed) return is_quotient ? a / b : a % b;
        return number(is_quotient ? ua / ub : ua % ub);
      }
      case opcode::setp: return compare(i.tokens()[0], a, b, is_signed);
      default: return {};
    }
  }

  static std::optional<std::int64_t> compare(ptx::token relation, std::int64_t a, std::int64_t b, bool is_signed) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    const bool is_less = is_signed ? a < b : ua < ub, is_equal = a == b;
    switch (relation) {
      case ptx::token::eq: return is_equal;
      case ptx::token::ne: return !is_equal;
      case ptx::token::lt: case ptx::token::lo: return is_less;
      case ptx::token::le: case ptx::token::ls: return is_less || is_equal;
      case ptx::token::gt: case ptx::token::hi: return !is_less && !is_equal;
      case ptx::token::ge: case ptx::token::hs: return !is_less;
      default: return {};
    }
  }

  const ptx::function& f_;
  analysis::block_extent block_;
  const std::vector<ptx::register_use>& uses_;
  std::unordered_map<std::uint32_t, row> known_;
};

}  // namespace tg::detail
