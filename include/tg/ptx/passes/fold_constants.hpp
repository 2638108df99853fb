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

/// Carries what is known of registers along a walk over the body.
class constant_folding {
 public:
  constant_folding(function& f, const dynamic_array<register_use>& uses)
      : f_(f), uses_(uses), algebra_(f, uses), bits_(f, uses), known_(uses.size()) {}

  void visit(instruction& i) {
    const bool has_constant = carry_constants(i);
    if (i.is_guarded()) fold_guard(i, known_[i.guard]);
    if (has_constant || i[1] == i[2]) {
      algebra_.normalise(i);
      if (!computes(i.op, calculation::copy))
        if (const auto value = evaluate(i)) algebra_.become_copy(i, *value);
      algebra_.simplify(i);
      if (has_constant) fold_by_bits(algebra_, bits_, i);
    }
    if (!is_copy(i) || !uses_[i[0].id].is_value()) return;
    if (i[1].is_immediate() || (!i[1].negated && uses_[i[1].id].is_value() && can_replace(f_, i[0].id, i[1].id)))
      known_[i[0].id] = i[1];
  }

 private:
  // Returns: whether a source is a constant.
  bool carry_constants(instruction& i) {
    bool has_constant = false;
    for (std::size_t k = static_cast<std::size_t>(result_count(i)); k < i.operand_count; ++k) {
      operand& o = i[k];
      if (!o.is_reg()) {
        has_constant = has_constant || o.is_immediate();
        for_each_register(f_, o, [&](std::uint32_t& r) {
          if (known_[r].is_reg()) r = known_[r].id;
        });
        continue;
      }
      const operand& value = known_[o.id];
      if (value.is_reg()) {
        o.id = value.id;
      } else if (value.is_immediate() && takes_immediate(i, k) && suits(f_, o, value, i)) {
        const bool negated = o.negated;
        o = value;
        if (negated) o.value = o.value == 0 ? -1 : 0;
        has_constant = true;
      }
    }
    return has_constant;
  }

  function& f_;
  const dynamic_array<register_use>& uses_;
  identities algebra_;
  possible_bits bits_;
  dynamic_array<operand> known_;  // an immediate or another register with the same value
};

}  // namespace detail

/// Evaluates constant instructions, carries constants to their readers and applies the identities. Integers wrap, a
/// division by zero stays, floats fold where round-to-nearest has one answer. What the bits that a register can have decide is
/// constant too: a lane's number is below 32. Every instruction stays in its place; one
/// that never runs is emptied. Requires: `uses` are those of `f`, their `reads` apart.
inline void fold_constants(function& f, const dynamic_array<register_use>& uses) {
  detail::constant_folding fold(f, uses);
  for (instruction& i : f.body) fold.visit(i);
}

/// Does so again where a pass has `changed` what writes a register, and where that changes more.
inline void fold_constants(function& f, const dynamic_array<register_use>& uses, dynamic_array<bool> changed) {
  detail::constant_folding fold(f, uses);
  for (instruction& i : f.body) {
    bool is_affected = i[0].is_reg() && changed[i[0].id];
    for_each_source(f, i, [&](std::uint32_t r) { is_affected |= changed[r]; });
    if (!is_affected) continue;
    const instruction before = i;
    fold.visit(i);
    if (i[0].is_reg() && !(i == before)) changed[i[0].id] = true;
  }
}

}  // namespace tg::ptx
