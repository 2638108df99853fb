// A field of bits that is brought down, masked and brought up again needs one shift: ((x >> s) & m) << k.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// Part of `contract`. Tables of words are indexed by fields this way: the byte at bit 8 of x is at `(x >> 6) & 1020`.
class field_shifts {
 public:
  /// Requires: what `uses` says of the instructions that are left.
  field_shifts(function& f, const dynamic_array<register_use>& uses, insertions& added) : f_(f), uses_(uses), added_(added) {}

  /// Makes the `shl` at `position` an `and` of x, shifted by the difference. The result is the same: below bit k, the mask
  /// has no bits; from there on, both have the bits of x from s on, as far as the register reaches.
  void reduce(std::uint32_t position) {
    const instruction i = f_.body[position];
    const int bits = width_bits(i.type());
    if (i.is_guarded() || !is_amount(i[2], bits)) return;
    instruction* const mask = only_definition(i[1], calculation::bit_and, bits);
    if (mask == nullptr || !(*mask)[2].is(operand_kind::integer)) return;
    instruction* const shift = only_definition((*mask)[1], calculation::shr, bits);
    if (shift == nullptr || is_signed(shift->type()) || !is_amount((*shift)[2], bits)) return;
    const operand x = (*shift)[1];
    if (!is_value(uses_, x)) return;
    const auto up = static_cast<int>(i[2].value), down = static_cast<int>((*shift)[2].value);
    const auto kept = sign_extend(static_cast<std::int64_t>(static_cast<std::uint64_t>((*mask)[2].value) << up), bits);
    const token word = bits_type(bits);
    operand moved = x;
    if (up > down) moved = compute(position, operation::shl(word), x, up - down);
    if (up < down) moved = compute(position, operation::shr(shift->type()), x, down - up);
    mask->clear();
    shift->clear();
    f_.body[position] = instruction(operation::bit_and(word), {i[0], moved, operand::integer(kept)});
    f_.body[position].where = i.where;
  }

 private:
  static bool is_amount(const operand& o, int bits) { return o.is(operand_kind::integer) && o.value > 0 && o.value < bits; }

  operand compute(std::uint32_t position, const operation& what, const operand& x, int by) {
    return added_.compute(f_, position, f_.registers[f_.body[position][0].id].type, what, {x, operand::integer(by)});
  }

  instruction* only_definition(const operand& o, calculation wanted, int bits) {
    if (!is_value(uses_, o) || uses_[o.id].reads != 1) return nullptr;
    instruction& i = f_.body[uses_[o.id].definition];
    return computes(i.op, wanted) && !i.is_guarded() && width_bits(i.type()) == bits ? &i : nullptr;
  }

  function& f_;
  const dynamic_array<register_use>& uses_;
  insertions& added_;
};

}  // namespace tg::ptx
