// Shifts and masks that only move whole bytes become one `prmt`: byte swaps, selections, packings.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Part of `contract`. A tree of shifts, masks, sums and `or` of 32 bits becomes a `prmt` where each byte of its result is one
/// byte of at most two registers, or 0; where nobody else reads what is in it; where it has a shift, since ptxas makes one
/// `lop3` of masks alone; and where that saves two instructions. ptxas does not find byte swaps by itself.
class byte_moves {
 public:
  /// Requires: what `uses` says of instructions that are left.
  byte_moves(function& f, const dynamic_array<register_use>& uses) : f_(f), uses_(uses) {}

  /// Looks at the instruction at `position` later, if it may be the root of a tree. Below `section`, instructions run more
  /// or less often.
  void note(std::uint32_t position, std::uint32_t section) {
    const instruction& i = f_.body[position];
    if (i.operand_count == 3 && i[0].is_reg() && merges(i) && (is_move(i[1]) || is_move(i[2])))
      roots_.push_back({position, section});
  }

  /// From the last on, so that the largest trees come first.
  void run() {
    for (std::size_t k = roots_.size(); k-- > 0;)
      if (f_.body[roots_[k].position].op != opcode::none) replace(roots_[k]);
  }

 private:
  struct root { std::uint32_t position, section; };
  /// Where a byte comes from; no register: it is 0.
  struct byte {
    std::uint32_t reg = no_index;
    std::uint32_t number = 0;
    bool is_zero() const { return reg == no_index; }
  };
  using bytes = fixed_array<byte, 4>;

  static bool is_word32(const instruction& i) { return !i.is_guarded() && is_word(i.type()) && width_bits(i.type()) == 32; }
  static bool merges(const instruction& i) {
    return (computes(i.op, calculation::bit_or) || computes(i.op, calculation::bit_xor) || computes(i.op, calculation::add)) &&
           is_word32(i) && i.token_count == 1;
  }
  static bool is_whole(const operand& o) {
    return o.is(operand_kind::integer) && o.value > 0 && o.value < 32 && o.value % 8 == 0;
  }
  static bool has_byte(const operand& mask, std::size_t k) { return (mask.value >> 8 * k & 255) == 255; }
  static bool lacks_byte(const operand& mask, std::size_t k) { return (mask.value >> 8 * k & 255) == 0; }
  static bool is_byte_mask(const operand& o) {
    if (!o.is(operand_kind::integer)) return false;
    for (std::size_t k = 0; k < 4; ++k)
      if (!has_byte(o, k) && !lacks_byte(o, k)) return false;
    return true;
  }
  static bool is_byte_conversion(const instruction& i) {
    return computes(i.op, calculation::convert) && !i.is_guarded() && i.token_count == 2 && i.tokens()[0] == token::u32 &&
           i.tokens()[1] == token::u8;
  }

  const instruction* definition(const operand& o) const {
    return o.is_reg() && !o.negated && o.id < uses_.size() && uses_[o.id].is_value() ? &f_.body[uses_[o.id].definition]
                                                                                     : nullptr;
  }
  bool is_move(const operand& o) const {
    const instruction* const i = definition(o);
    if (i == nullptr || i->operand_count < 2) return false;
    if (i->op == opcode::prmt) return true;
    switch (calculation_of(i->op)) {
      case calculation::shl:
      case calculation::shr: return is_whole(i->operand_array[2]);
      case calculation::bit_and: return is_byte_mask(i->operand_array[2]);
      case calculation::convert:
      case calculation::bit_or: return true;
      default: return false;
    }
  }

  void replace(const root& r) {
    section_ = r.section;
    nodes_.clear();
    shifts_ = 0;
    const std::optional<bytes> found = expand(f_.body[r.position]);
    if (!found || shifts_ == 0 || nodes_.size() < 2) return;
    fixed_array<std::uint32_t, 2> from = {no_index, no_index};
    bool has_zero = false;
    for (const byte& b : *found) {
      has_zero = has_zero || b.is_zero();
      if (b.is_zero() || b.reg == from[0] || b.reg == from[1]) continue;
      if (from[1] != no_index) return;
      (from[0] == no_index ? from[0] : from[1]) = b.reg;
    }
    if (from[0] == no_index) return;
    std::optional<std::uint32_t> zero;
    if (from[1] == no_index) zero = 4;
    else if (const auto own = zero_of(from[0])) zero = *own;
    else if (const auto other = zero_of(from[1])) zero = 4 + *other;
    if (has_zero && !zero) return;
    std::int64_t selector = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const byte& b = (*found)[k];
      const std::uint32_t number = b.is_zero() ? *zero : b.reg == from[0] ? b.number : 4 + b.number;
      selector |= static_cast<std::int64_t>(number) << 4 * k;
    }
    instruction& i = f_.body[r.position];
    const operand second = from[1] == no_index ? operand::integer(0) : operand::reg(from[1]);
    instruction made(opcode::prmt, {token::b32}, {i[0], operand::reg(from[0]), second, operand::integer(selector)});
    if (selector == 0x3210) made = instruction(operation::copy(token::b32), {i[0], operand::reg(from[0])});
    made.where = i.where;
    i = made;
    for (const std::uint32_t n : nodes_) f_.body[n].clear();
  }

  /// What an operand's bytes are; none where it must not be read later.
  std::optional<bytes> of(const operand& o) {
    if (o.is(operand_kind::integer) && static_cast<std::uint32_t>(o.value) == 0) return bytes{};
    if (!o.is_reg() || o.negated || (o.id < uses_.size() && !uses_[o.id].is_value())) return {};
    if (const instruction* const i = definition(o);
        i != nullptr && uses_[o.id].reads == 1 && uses_[o.id].definition > section_) {
      const std::size_t kept = nodes_.size();
      const std::uint32_t shifts = shifts_;
      if (kept < most_nodes) {
        nodes_.push_back(uses_[o.id].definition);
        if (const auto inner = expand(*i)) return inner;
      }
      nodes_.resize(kept);
      shifts_ = shifts;
    }
    bytes out;
    for (std::uint32_t k = 0; k < 4; ++k)
      if (!is_known_zero(o.id, k)) out[k] = {o.id, k};
    return width_bits(f_.registers[o.id].type) == 32 ? std::optional(out) : std::nullopt;
  }

  std::optional<bytes> expand(const instruction& i) {
    if (is_byte_conversion(i)) return kept(of(i[1]), operand::integer(255));
    if (!is_word32(i) || i.operand_count < 2) return {};
    if (i.op == opcode::prmt) return permuted(i);
    switch (calculation_of(i.op)) {
      case calculation::copy: return i.operand_count == 2 && i[1].is_reg() ? of(i[1]) : std::nullopt;
      case calculation::shl: return is_whole(i[2]) ? shifted(of(i[1]), static_cast<int>(i[2].value) / 8) : std::nullopt;
      case calculation::shr:
        return is_whole(i[2]) && !is_signed(i.type()) ? shifted(of(i[1]), -static_cast<int>(i[2].value) / 8) : std::nullopt;
      case calculation::bit_and: return is_byte_mask(i[2]) ? kept(of(i[1]), i[2]) : std::nullopt;
      case calculation::bit_or:
      case calculation::bit_xor:
      case calculation::add: return merges(i) ? joined(i) : std::nullopt;
      default: return {};
    }
  }

  std::optional<bytes> shifted(const std::optional<bytes>& x, int up) {
    ++shifts_;
    if (!x) return {};
    bytes out;
    for (int k = 0; k < 4; ++k)
      if (k - up >= 0 && k - up < 4) out[static_cast<std::size_t>(k)] = (*x)[static_cast<std::size_t>(k - up)];
    return out;
  }
  static std::optional<bytes> kept(std::optional<bytes> x, const operand& mask) {
    for (std::size_t k = 0; x && k < 4; ++k)
      if (!has_byte(mask, k)) (*x)[k] = {};
    return x;
  }
  // Bytes of which one is 0: no carry leaves them.
  std::optional<bytes> joined(const instruction& i) {
    std::optional<bytes> a = of(i[1]);
    const std::optional<bytes> b = a ? of(i[2]) : std::nullopt;
    if (!b) return {};
    for (std::size_t k = 0; k < 4; ++k) {
      if ((*b)[k].is_zero()) continue;
      if (!(*a)[k].is_zero()) return {};
      (*a)[k] = (*b)[k];
    }
    return a;
  }
  std::optional<bytes> permuted(const instruction& i) {
    if (i.token_count != 1 || !i[3].is(operand_kind::integer)) return {};
    const std::optional<bytes> a = of(i[1]), b = a ? of(i[2]) : std::nullopt;
    if (!b) return {};
    ++shifts_;
    bytes out;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto from = static_cast<std::size_t>(i[3].value >> 4 * k & 15);
      if (from > 7) return {};  // the sign of a byte
      out[k] = from < 4 ? (*a)[from] : (*b)[from - 4];
    }
    return out;
  }

  /// Whether byte `number` of a register is 0 in every thread.
  bool is_known_zero(std::uint32_t reg, std::uint32_t number) const {
    const instruction* const i = definition(operand::reg(reg));
    if (i == nullptr || i->is_guarded()) return false;
    const token type = i->type();
    if (is_byte_conversion(*i)) return number > 0;
    if (is_load(i->op)) return (type == token::u8 || type == token::b8) && i->operand_array[0].is_reg() && number > 0;
    if (!is_word32(*i) || i->operand_count != 3 || !i->operand_array[2].is(operand_kind::integer)) return false;
    if (computes(i->op, calculation::bit_and)) return lacks_byte(i->operand_array[2], number);
    return computes(i->op, calculation::shr) && !is_signed(type) && i->operand_array[2].value >= 0 &&
           i->operand_array[2].value + 8 * static_cast<std::int64_t>(number) >= 32;
  }
  std::optional<std::uint32_t> zero_of(std::uint32_t reg) const {
    for (std::uint32_t k = 0; k < 4; ++k)
      if (is_known_zero(reg, k)) return k;
    return {};
  }

  static constexpr std::size_t most_nodes = 24;

  function& f_;
  const dynamic_array<register_use>& uses_;
  dynamic_array<root> roots_;
  dynamic_array<std::uint32_t> nodes_;  // instructions of the tree, the root apart
  std::uint32_t section_ = 0, shifts_ = 0;
};

}  // namespace tg::ptx
