// What a register of a flat function holds in each thread of a block, as far as the text says it: constants, coordinates
// of the thread, and 32-bit and 64-bit arithmetic and comparisons of these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include <tg/analysis/warp.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/constant_domain.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// Follows the definitions of registers that are written once. Each register is followed once.
class thread_values {
 public:
  using row = dynamic_array<std::optional<std::int64_t>>;  // of each thread; predicates are 0 and 1

  /// Requires: a flat function.
  thread_values(const ptx::function& f, analysis::block_extent block, const dynamic_array<ptx::register_use>& uses)
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
    for (int t = 0; t < block_.threads(); ++t)
      out[static_cast<std::size_t>(t)] = coordinate(static_cast<ptx::special>(o.id), t);
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
    using enum ptx::token;
    const ptx::token type = i.type();
    const bool is_integer =
        type == u32 || type == s32 || type == b32 || type == u64 || type == s64 || type == b64 || type == pred;
    if (!is_integer) return false;
    const std::size_t types = i.tokens().size();
    if (ptx::computes(i.op, ptx::calculation::convert))
      return types == 2 && type != pred &&
             (i.tokens()[0] == u32 || i.tokens()[0] == s32 || i.tokens()[0] == u64 || i.tokens()[0] == s64);
    if (ptx::computes(i.op, ptx::calculation::compare)) return i.operand_count == 3 && types == 2;
    return ptx::has_trait(i.op, ptx::trait::immediates) && !i.has(cc) && !i.has(hi) && !i.has(wide);
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
    const ptx::token type = i.type();
    if (ptx::computes(i.op, ptx::calculation::compare))
      return compare(i.tokens()[0], held(static_cast<std::uint64_t>(x), type), held(static_cast<std::uint64_t>(y), type),
                     is_signed(type));
    const std::int64_t sources[] = {x, y, z};
    const auto result =
        ptx::integer_result(i, ptx::constant_domain(), [&](std::size_t k) { return std::optional(sources[k - 1]); });
    if (!result) return {};
    return held(static_cast<std::uint64_t>(*result), ptx::computes(i.op, ptx::calculation::convert) ? i.tokens()[0] : type);
  }

  static std::optional<std::int64_t> compare(ptx::token relation, std::int64_t a, std::int64_t b, bool is_signed) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    const bool is_less = is_signed ? a < b : ua < ub, is_equal = a == b;
    switch (relation) {
      case ptx::token::eq: return is_equal;
      case ptx::token::ne: return !is_equal;
      case ptx::token::lt:
      case ptx::token::lo: return is_less;
      case ptx::token::le:
      case ptx::token::ls: return is_less || is_equal;
      case ptx::token::gt:
      case ptx::token::hi: return !is_less && !is_equal;
      case ptx::token::ge:
      case ptx::token::hs: return !is_less;
      default: return {};
    }
  }

  const ptx::function& f_;
  analysis::block_extent block_;
  const dynamic_array<ptx::register_use>& uses_;
  std::unordered_map<std::uint32_t, row> known_;
};

}  // namespace tg::detail
