// Quotients and remainders by powers of two, where the bits that a number can have say more than the instruction.
//
//   (4 * lane) / 128        is 0
//   (4 * lane) % 128        is 4 * lane
//   (4 * lane) / 32         is lane / 8
//   (4 * lane + 128) / 32   is (4 * lane) / 32 + 4: unrolled copies that differ by 128 share the quotient
//   x % 32 % 16             is x % 16
//   x / 4 / 8               is x / 32
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/identities.hpp>
#include <tg/ptx/passes/insertions.hpp>
#include <tg/ptx/passes/possible_bits.hpp>

namespace tg::ptx {

/// Rewrites unsigned quotients and remainders of 32 bits by powers of two, shifts to the right and masks, as above. All rules
/// hold for registers that wrap. Returns: of each register, whether what writes it has changed; nothing where none has.
/// Requires: `uses` are those of `f`, their `reads` apart.
dynamic_array<bool> split_fields(function& f, const dynamic_array<register_use>& uses);

namespace detail {

class field_splitting {
 public:
  field_splitting(function& f, const dynamic_array<register_use>& uses)
      : f_(f), uses_(uses), first_new_(f.registers.size()), algebra_(f, uses), bits_(f, uses) {}

  dynamic_array<bool> run() {
    // What a swizzle is made of stays as `split_swizzles` knows it.
    dynamic_array<bool> is_swizzled(f_.registers.size());
    for (std::size_t n = f_.body.size(); n-- > 0;) {
      const instruction& i = f_.body[n];
      const bool is_part = (computes(i.op, calculation::bit_and) || computes(i.op, calculation::shr)) && is_swizzled[i[0].id];
      if (computes(i.op, calculation::bit_xor) || is_part)
        for_each_read(f_, i, [&](std::uint32_t r) { is_swizzled[r] = true; });
    }
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n)
      if (const auto wanted = field_of(f_.body[n]); wanted && !is_swizzled[f_.body[n][0].id]) reduce(n, *wanted);
    added_.apply(f_);
    if (!has_changed_.empty()) has_changed_.resize(f_.registers.size(), true);
    return std::move(has_changed_);
  }

 private:
  /// x / 2^by, or x % 2^by
  struct field {
    bool is_quotient = true;
    int by = 0;
    operand x;
  };

  bool is_value(const operand& o) const {
    return o.is_reg() && (o.id >= first_new_ || (o.id < uses_.size() && uses_[o.id].is_value()));
  }
  std::uint32_t bits_of(const operand& o) { return o.id >= first_new_ ? new_bits_[o.id - first_new_] : bits_.of(o); }
  // An instruction of a value and a constant.
  static bool takes_constant(const instruction& i) {
    return i.operand_count == 3 && !i.is_guarded() && i[0].is_reg() && i[2].is(operand_kind::integer) && is_word(i.type()) &&
           width_bits(i.type()) == 32 && !i.has(token::sat) && !i.has(token::cc);
  }
  static std::optional<int> power_of_two(const operand& o) {
    const auto c = static_cast<std::uint32_t>(o.value);
    if (!std::has_single_bit(c)) return {};
    return std::countr_zero(c);
  }

  std::optional<field> field_of(const instruction& i) const {
    if (!takes_constant(i) || !is_value(i[1])) return {};
    const auto c = static_cast<std::uint32_t>(i[2].value);
    const bool is_unsigned = !is_signed(i.type());
    switch (calculation_of(i.op)) {
      case calculation::div:
      case calculation::rem: {
        const std::optional<int> by = power_of_two(i[2]);
        if (!by || !is_unsigned) return {};
        return field{computes(i.op, calculation::div), *by, i[1]};
      }
      case calculation::shr:
        if (!is_unsigned || c > 31) return {};
        return field{true, static_cast<int>(c), i[1]};
      case calculation::bit_and:
        if (!std::has_single_bit(c + 1) || c + 1 == 0) return {};
        return field{false, std::countr_zero(c + 1), i[1]};
      default: return {};
    }
  }

  // What computes a value, of another value and a constant; none: null.
  const instruction* definition_of(const operand& o) const {
    if (!is_value(o) || o.id >= first_new_) return nullptr;
    const instruction& i = f_.body[uses_[o.id].definition];
    return takes_constant(i) && is_value(i[1]) ? &i : nullptr;
  }
  // The power of two that `i` multiplies by, where that loses no bits.
  std::optional<int> factor_of(const instruction& i) {
    std::optional<int> by;
    if (computes(i.op, calculation::shl) && i[2].value >= 0 && i[2].value < 32) by = static_cast<int>(i[2].value);
    if (computes(i.op, calculation::mul) && i.has(token::lo)) by = power_of_two(i[2]);
    if (by && *by != 0 && bits_of(i[1]) >> (32 - *by) != 0) return {};
    return by;
  }

  void reduce(std::uint32_t n, field own) {
    bits_.of(f_.body[n][0]);  // while its sources are those of the program
    for (bool looks_through = false;; looks_through = true) {
      const std::uint32_t bits = bits_of(own.x);
      if (own.by == 0) return become(n, own.is_quotient ? own.x : operand::integer(0));
      if (own.by > 31 || bits >> own.by == 0) return become(n, own.is_quotient ? operand::integer(0) : own.x);
      if (!own.is_quotient && (bits & mask(own.by)) == 0) return become(n, operand::integer(0));
      const instruction* const inner = definition_of(own.x);
      if (inner != nullptr && computes(inner->op, calculation::add)) {
        const auto c = static_cast<std::uint32_t>((*inner)[2].value);
        if ((bits_of((*inner)[1]) & c) != 0) return finish(n, own, looks_through);
        const std::uint32_t part = own.is_quotient ? c >> own.by : c & mask(own.by);
        own.x = (*inner)[1];
        if (part == 0) continue;
        return become_sum(n, own, part);
      }
      if (inner == nullptr || !look_through(*inner, own)) return finish(n, own, looks_through);
      if (own.by < 0) return finish(n, own, true);
    }
  }
  // Whether `own` is a field of what `inner` computes from: it is then that. A quotient by 2^-k is a product.
  bool look_through(const instruction& inner, field& own) {
    if (own.is_quotient) {
      if (const auto factor = factor_of(inner)) {
        own.by -= *factor;
        own.x = inner[1];
        return true;
      }
    }
    const std::optional<field> from = field_of(inner);
    if (!from || from->is_quotient != own.is_quotient) return false;
    if (own.is_quotient) own.by += from->by;
    else own.by = own.by < from->by ? own.by : from->by;
    own.x = from->x;
    return true;
  }

  static std::uint32_t mask(int by) { return (1u << by) - 1; }
  static instruction made(const field& own) {
    if (own.by < 0) return {operation::shl(token::b32), {operand{}, own.x, operand::integer(-own.by)}};
    if (own.is_quotient) return {operation::shr(token::u32), {operand{}, own.x, operand::integer(own.by)}};
    return {operation::bit_and(token::b32), {operand{}, own.x, operand::integer(mask(own.by))}};
  }
  void become(std::uint32_t n, const operand& source) {
    const bool was_copy = computes(f_.body[n].op, calculation::copy);
    algebra_.become_copy(f_.body[n], source);
    if (!was_copy && computes(f_.body[n].op, calculation::copy)) note_change(n);
  }
  void replace(std::uint32_t n, instruction wanted) {
    const instruction& old = f_.body[n];
    wanted[0] = old[0];
    wanted.where = old.where;
    f_.body[n] = wanted;
    note_change(n);
  }
  void note_change(std::uint32_t n) {
    if (has_changed_.empty()) has_changed_.resize(first_new_);
    has_changed_[f_.body[n][0].id] = true;
  }
  void finish(std::uint32_t n, const field& own, bool is_new) {
    if (is_new) replace(n, made(own));
  }
  void become_sum(std::uint32_t n, field own, std::uint32_t part) {
    const std::uint32_t bits = bits_of(own.x), left = own.is_quotient ? bits >> own.by : bits & mask(own.by);
    if (left == 0) return become(n, operand::integer(part));
    bool is_whole = !own.is_quotient && left == bits;
    while (!is_whole && own.by > 0) {
      const instruction* const inner = definition_of(own.x);
      if (inner == nullptr || !look_through(*inner, own)) break;
    }
    is_whole = is_whole || own.by == 0;
    const operand first = is_whole ? own.x : added_.compute(f_, n, f_.registers[f_.body[n][0].id].type, made(own));
    if (!is_whole) {
      new_bits_.resize(f_.registers.size() - first_new_);
      new_bits_.back() = left;
    }
    replace(n, {operation::add(token::u32), {operand{}, first, operand::integer(part)}});
  }

  function& f_;
  const dynamic_array<register_use>& uses_;
  std::uint32_t first_new_;
  identities algebra_;
  possible_bits bits_;
  dynamic_array<std::uint32_t> new_bits_;  // of registers that this made
  insertions added_;
  dynamic_array<bool> has_changed_;  // empty: nothing has
};

}  // namespace detail

inline dynamic_array<bool> split_fields(function& f, const dynamic_array<register_use>& uses) {
  return detail::field_splitting(f, uses).run();
}

}  // namespace tg::ptx
