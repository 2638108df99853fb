// What is known before the kernel runs is computed now.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/evaluate.hpp>
#include <tg/ptx/passes/identities.hpp>
#include <tg/ptx/passes/possible_bits.hpp>

namespace tg::ptx {

namespace detail {

// PTX takes an immediate of type `t` here. Half-precision types have no immediates, predicates only where the
// instruction folds away.
inline bool takes_immediate(const instruction& i, std::size_t k) {
  const token t = i.type();
  const bool has_immediates = is_float(t) || is_word(t);
  if (computes(i.op, calculation::compare)) return k < 3 && t != token::pred && has_immediates;
  if (computes(i.op, calculation::select)) return k == 3 || has_immediates;
  if (is_store(i.op)) return k == 1 && has_immediates;
  if (i.op == opcode::if_ || i.op == opcode::endloop) return true;
  return has_trait(i.op, trait::immediates) && has_immediates;
}

// Whether `constant`, held by a register, is written in `i` in the same way.
inline bool suits(const function& f, const operand& held, const operand& constant, const instruction& i) {
  if (constant.is(operand_kind::f32)) return i.type() == token::f32;
  if (constant.is(operand_kind::f64)) return i.type() == token::f64;
  return width_bits(f.registers[held.id].type) == 1 || !is_float(i.type());
}

inline void fold_guard(instruction& i, const operand& value) {
  if (value.is_reg()) i.guard = value.id;
  if (!value.is_immediate()) return;
  if ((value.value != 0) == i.guard_negated) i = {};
  else i.guard = no_index;
}

// An unsigned comparison that comes out the same for all possible numbers.
inline void fold_by_bits(const identities& algebra, possible_bits& bits, instruction& i) {
  if (!computes(i.op, calculation::compare) || i.operand_count != 3 || i.is_guarded()) return;
  if (!i[0].is_reg() || !i[1].is_reg() || !i[2].is(operand_kind::integer)) return;
  if (!is_word(i.type()) || width_bits(i.type()) != 32 || is_signed(i.type())) return;
  const auto constant = static_cast<std::uint32_t>(i[2].value), most = bits.of(i[1]);
  const bool is_less = i.has(token::lt) && most < constant, is_most = i.has(token::le) && most <= constant;
  const bool is_not = (i.has(token::ge) && most < constant) || (i.has(token::gt) && most <= constant);
  if (is_less || is_most || is_not) algebra.become_copy(i, operand::integer(is_not ? 0 : -1));
}

}  // namespace detail

/// Evaluates constant instructions, carries constants to their readers and applies the identities. Integers wrap, a
/// division by zero stays, floats fold where round-to-nearest has one answer. What the bits that a register can have decide is
/// constant too: a lane's number is below 32. Every instruction stays in its place; one
/// that never runs is emptied. Requires: `uses` are those of `f`, their `reads` apart.
inline void fold_constants(function& f, const dynamic_array<register_use>& uses) {
  const identities algebra(f, uses);
  possible_bits bits(f, uses);
  dynamic_array<operand> known(uses.size());  // an immediate or another register with the same value
  for (instruction& i : f.body) {
    bool has_constant = false;
    for (std::size_t k = static_cast<std::size_t>(result_count(i)); k < i.operand_count; ++k) {
      operand& o = i[k];
      if (!o.is_reg()) {
        has_constant = has_constant || o.is_immediate();
        for_each_register(f, o, [&](std::uint32_t& r) {
          if (known[r].is_reg()) r = known[r].id;
        });
        continue;
      }
      const operand& value = known[o.id];
      if (value.is_reg()) {
        o.id = value.id;
      } else if (value.is_immediate() && detail::takes_immediate(i, k) && detail::suits(f, o, value, i)) {
        const bool negated = o.negated;
        o = value;
        if (negated) o.value = o.value == 0 ? -1 : 0;
        has_constant = true;
      }
    }
    if (i.is_guarded()) detail::fold_guard(i, known[i.guard]);
    if (has_constant || i[1] == i[2]) {
      algebra.normalise(i);
      if (!computes(i.op, calculation::copy))
        if (const auto value = evaluate(i)) algebra.become_copy(i, *value);
      algebra.simplify(i);
      if (has_constant) detail::fold_by_bits(algebra, bits, i);
    }
    if (!is_copy(i) || !uses[i[0].id].is_value()) continue;
    if (i[1].is_immediate() || (!i[1].negated && uses[i[1].id].is_value() && can_replace(f, i[0].id, i[1].id)))
      known[i[0].id] = i[1];
  }
}

}  // namespace tg::ptx
