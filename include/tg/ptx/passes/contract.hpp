// Several instructions of which only the last result is needed become fewer: products that are only added, fields of bits
// that are only shifted, bytes that are only moved, halves that are only put side by side.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/byte_moves.hpp>
#include <tg/ptx/passes/field_shifts.hpp>
#include <tg/ptx/passes/index_scales.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// `mul` and `add` or `sub` become `fma.rn` where neither names a rounding: that is how the front end marks what may be
/// contracted; `mul.lo` and `add` become `mad.lo`. The product must have this one reader, and no loop may begin or end
/// between the two. A `mul.wide` stays: of it and an `add` ptxas makes one instruction, of a `mad.wide` by 2^k two. Two floats
/// that are rounded to bf16 and put into one register are rounded by one instruction. Shifts of fields of bits: see
/// field_shifts; trees of shifts and masks: see byte_moves.
void contract(function& f);

namespace detail {

class contraction {
 public:
  explicit contraction(function& f) : f_(f), uses_(count_uses(f)) {}

  void run() {
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (i.op == opcode::loop || i.op == opcode::endloop) section_start_ = n;
      if (computes(i.op, calculation::shl)) fields_.reduce(n);
      if (computes(i.op, calculation::copy)) round_both(n);
      if (computes(i.op, calculation::mul)) scales_.note(n);
      if (computes(i.op, calculation::bit_or) || computes(i.op, calculation::bit_xor) || computes(i.op, calculation::add))
        bytes_.note(n, section_start_);
      if ((!computes(i.op, calculation::add) && !computes(i.op, calculation::sub)) || i.is_guarded() || i.operand_count != 3)
        continue;
      if (!join(n, 1, 2)) join(n, 2, 1);
    }
    bytes_.run();
    scales_.run();
    added_.apply(f_);
  }

 private:
  static bool is_contractible_float(token t) {
    return is_float(t) || t == token::f16 || t == token::f16x2 || t == token::bf16 || t == token::bf16x2;
  }

  static bool names_rounding(const instruction& i) {
    return i.has(token::rn) || i.has(token::rz) || i.has(token::rm) || i.has(token::rp);
  }

  // The multiplication that operand `o` comes from, if this is its only use and its sources still hold.
  instruction* product(const operand& o) {
    if (!is_value(uses_, o) || uses_[o.id].reads != 1) return nullptr;
    instruction& m = f_.body[uses_[o.id].definition];
    if (uses_[o.id].definition < section_start_ || !computes(m.op, calculation::mul) || m.is_guarded()) return nullptr;
    for (std::size_t k = 1; k < 3; ++k)
      if (m[k].is_reg() ? !is_value(uses_, m[k]) : !m[k].is_immediate()) return nullptr;
    return &m;
  }

  bool join(std::uint32_t n, std::size_t factor, std::size_t rest) {
    instruction& sum = f_.body[n];
    instruction* m = product(sum[factor]);
    if (m == nullptr || sum.has(token::cc)) return false;
    const operand term = sum[rest];
    if (is_contractible_float(sum.type())) return join_float(n, *m, term, factor == 1);
    if (!computes(sum.op, calculation::add) || !is_integer(sum.type()) || sum.token_count != 1) return false;
    if (!m->has(token::lo) || width_bits(m->type()) != width_bits(sum.type())) return false;
    replace(n, *m, {opcode::mad, {token::lo, m->type()}, {sum[0], (*m)[1], (*m)[2], term}});
    return true;
  }

  bool join_float(std::uint32_t n, instruction& m, const operand& term, bool is_first) {
    instruction& sum = f_.body[n];
    if (m.type() != sum.type() || names_rounding(m) || names_rounding(sum) || m.has(token::sat)) return false;
    if (m.has(token::ftz) != sum.has(token::ftz) || (!is_float(sum.type()) && has_immediate(m, term))) return false;
    operand a = m[1];
    const operand b = m[2];
    operand c = term;
    if (computes(sum.op, calculation::sub)) (is_first ? c : a) = negated(n, is_first ? c : a, sum);
    const token ftz = sum.has(token::ftz) ? token::ftz : token::none;
    const token sat = sum.has(token::sat) ? token::sat : token::none;
    replace(n, m, {opcode::fma, {token::rn, ftz, sat, sum.type()}, {sum[0], a, b, c}});
    return true;
  }

  // A float that is rounded to bf16, if this is the only use of the bf16 and the float still holds. Else none.
  operand rounded(const operand& o) const {
    if (!is_value(uses_, o) || uses_[o.id].reads != 1 || uses_[o.id].definition < section_start_) return {};
    const instruction& c = f_.body[uses_[o.id].definition];
    const bool is_rounding = computes(c.op, calculation::convert) && c.token_count == 3 && c.has(token::rn) &&
                             c.has(token::bf16) && c.type() == token::f32;
    return is_rounding && !c.is_guarded() && is_value(uses_, c[1]) ? c[1] : operand{};
  }

  void round_both(std::uint32_t n) {
    const instruction& i = f_.body[n];
    if (i.is_guarded() || i.operand_count != 2 || !i[1].is(operand_kind::vector) || i[1].value != 2) return;
    const operand low = f_.elements[i[1].id], high = f_.elements[i[1].id + 1];
    const operand a = rounded(low), b = rounded(high);
    if (!a.is_reg() || !b.is_reg()) return;
    instruction joined(opcode::cvt, {token::rn, token::bf16x2, token::f32}, {i[0], b, a});
    joined.where = i.where;
    f_.body[n] = joined;
    f_.body[uses_[low.id].definition].clear();
    f_.body[uses_[high.id].definition].clear();
  }

  static bool has_immediate(const instruction& m, const operand& term) {
    return m[1].is_immediate() || m[2].is_immediate() || term.is_immediate();
  }

  operand negated(std::uint32_t n, const operand& o, const instruction& sum) {
    if (o.is(operand_kind::f32)) return {.kind = o.kind, .value = o.value ^ 0x80000000ll};
    if (o.is(operand_kind::f64)) return {.kind = o.kind, .value = o.value ^ INT64_MIN};
    const token ftz = sum.has(token::ftz) ? token::ftz : token::none;
    return added_.compute(f_, n, f_.registers[sum[0].id].type, operation::neg(ftz, sum.type()), {o});
  }

  void replace(std::uint32_t n, instruction& m, instruction joined) {
    joined.where = f_.body[n].where;
    f_.body[n] = std::move(joined);
    m.clear();
  }

  function& f_;
  dynamic_array<register_use> uses_;
  insertions added_;
  field_shifts fields_{f_, uses_, added_};
  byte_moves bytes_{f_, uses_};
  index_scales scales_{f_, uses_};
  std::uint32_t section_start_ = 0;
};

}  // namespace detail

inline void contract(function& f) { detail::contraction(f).run(); }

}  // namespace tg::ptx
