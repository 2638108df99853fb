// Constant parts of addresses move into the offset of the access, so that x(i - 1), x(i) and x(i + 1) share one
// address.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/evaluate.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// Splits what addresses are computed from into `root + constant` and accesses memory at `[root + constant]`. Sums,
/// products and shifts by constants split exactly, as integers that wrap. The widening product by which a view scales a
/// 32-bit index splits by the rule of the language that an index does not wrap, for constants up to `max_index_offset`.
/// A `cvt` to 64 bits does not split: it is a conversion that the program wrote, and the sum in it may wrap.
void fold_offsets(function& f);

/// Elements; no larger constant is taken through a widening.
inline constexpr std::int64_t max_index_offset = (1 << 24) - 1;

/// Bytes; what one instruction of the machine adds to its address register. Source: ptxas 13.0 gives an access at 2^23
/// an instruction more than one at 2^23 - 4, for sm_75, sm_80, sm_90 and sm_100.
inline constexpr std::int64_t max_address_offset = (1 << 23) - 1;

namespace detail {

class address_splitter {
 public:
  explicit address_splitter(function& f) : f_(f), marks_(f.registers.size()) {}

  void run() {
    if (!find()) return;
    mark();
    parts_.resize(marks_.size());
    for (const place& p : places_) {
      instruction& i = f_.body[p.position];
      if (is_marker(i.op)) added_.forget();
      if (is_wanted(p)) split(p.position);
      for (operand& o : i.operands()) fold(o);
    }
    added_.apply(f_);
  }

 private:
  struct part {
    std::uint32_t root = no_index;      // register; none: that of this part itself
    std::uint32_t variable = no_index;  // whose address the register holds
    std::int64_t offset = 0;
  };
  struct mark_of_register {
    bool is_written = false;
    bool is_value = false;  // written once
    bool is_wanted = false;
    bool may_be_negative = false;  // contains a difference, which as an unsigned number may have wrapped
  };

  // What takes part: accesses, markers, and what addresses may be computed by.
  struct place {
    std::uint32_t position = 0;
    bool has_parts = false;
  };

  static bool is_address(const operand& o) { return o.is(operand_kind::address) && o.base == operand_kind::reg; }

  bool is_value(const operand& o) const { return o.is_reg() && marks_[o.id].is_value; }

  bool is_wanted(const place& p) const {
    if (!p.has_parts) return false;
    const mark_of_register& result = marks_[f_.body[p.position][0].id];
    return result.is_wanted && result.is_value;
  }

  // Instructions that have a root and a constant part.
  static bool has_parts(const instruction& i) {
    switch (calculation_of(i.op)) {
      case calculation::add:
      case calculation::sub: return is_plain(i);
      case calculation::shl: return is_plain(i) && i[2].is(operand_kind::integer);
      case calculation::mul:
        return is_plain(i) && i[2].is(operand_kind::integer) &&
               (i.has(token::lo) || (i.has(token::wide) && width_bits(i.type()) == 32));
      case calculation::copy: return is_plain(i) && (i[1].is(operand_kind::variable) || i[1].is_reg());
      default: return false;
    }
  }

  static bool is_plain(const instruction& i) {
    const int bits = width_bits(i.type());
    return i.operand_count >= 2 && !i.is_guarded() && i[0].is_reg() && is_word(i.type()) && (bits == 32 || bits == 64) &&
           !i.has(token::sat) && !i.has(token::cc);
  }

  // Returns: whether there are addresses in registers.
  bool find() {
    bool found = false;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      for_each_written(f_, i, [&](std::uint32_t r) { marks_[r].is_value = !std::exchange(marks_[r].is_written, true); });
      const bool is_access = row_of(i.op).does != effect::pure && std::ranges::any_of(i.operands(), is_address);
      const bool splits = has_parts(i);
      if (is_access || splits || is_marker(i.op)) places_.push_back({n, splits});
      found = found || is_access;
    }
    return found;
  }

  // What addresses are made of, from the accesses backwards.
  void mark() {
    for (std::size_t k = places_.size(); k-- > 0;) {
      const instruction& i = f_.body[places_[k].position];
      for (const operand& o : i.operands())
        if (is_address(o)) marks_[o.id].is_wanted = true;
      if (!is_wanted(places_[k])) continue;
      for (const operand& o : i.operands().subspan(1))
        if (is_value(o)) marks_[o.id].is_wanted = true;
    }
  }

  std::int64_t offset_of(const operand& o) const { return is_value(o) ? parts_[o.id].offset : 0; }

  operand root_of(const operand& o) const {
    return is_value(o) && parts_[o.id].root != no_index ? operand::reg(parts_[o.id].root) : o;
  }

  void split(std::uint32_t n) {
    const instruction i = f_.body[n];
    const int bits = width_bits(i.type());
    const std::int64_t inner = offset_of(i[1]);
    marks_[i[0].id].may_be_negative = may_be_negative(i);
    const auto wrapped = [&](std::uint64_t value) { return sign_extend(static_cast<std::int64_t>(value), bits); };
    switch (calculation_of(i.op)) {
      case calculation::copy:
        if (i[1].is(operand_kind::variable)) split_variable(n, i);
        else if (is_value(i[1]) && can_replace(f_, i[0].id, i[1].id)) set(i, root_of(i[1]), inner);
        return;
      case calculation::add:
      case calculation::sub: return split_sum(n, i);
      case calculation::shl:
        if (inner != 0 && i[2].value >= 0 && i[2].value < bits)
          set(i, recompute(n, i), wrapped(static_cast<std::uint64_t>(inner) << i[2].value));
        return;
      case calculation::mul:
        if (inner == 0) return;
        if (i.has(token::lo)) {
          set(i, recompute(n, i), wrapped(static_cast<std::uint64_t>(inner) * static_cast<std::uint64_t>(i[2].value)));
        } else if (widens(i, inner) && (is_signed(i.type()) || i[2].value >= 0)) {
          set(i, recompute(n, i), inner * i[2].value);
        }
        return;
      default: return;
    }
  }

  // `tiles + 4096` is the address of `tiles` and a constant, so that all that begin there have one root.
  void split_variable(std::uint32_t n, const instruction& i) {
    if (i[1].value == 0) {
      parts_[i[0].id].variable = i[1].id;
      return;
    }
    instruction copy = i;
    copy[1].value = 0;
    const operand root = added_.compute_once(f_, n, f_.registers[i[0].id].type, copy);
    if (root.id >= parts_.size()) parts_.resize(root.id + 1);
    parts_[root.id].variable = i[1].id;
    set(i, root, i[1].value);
  }

  void split_sum(std::uint32_t n, const instruction& i) {
    const auto first = static_cast<std::uint64_t>(offset_of(i[1]));
    const auto second = static_cast<std::uint64_t>(i[2].is(operand_kind::integer) ? i[2].value : offset_of(i[2]));
    const std::uint64_t sum = computes(i.op, calculation::add) ? first + second : first - second;
    const std::int64_t offset = sign_extend(static_cast<std::int64_t>(sum), width_bits(i.type()));
    if (i[2].is(operand_kind::integer)) {
      if (is_value(i[1])) set(i, root_of(i[1]), offset);
    } else if (offset != 0 && i[1].is_reg() && i[2].is_reg()) {
      set(i, recompute(n, i), offset);
    }
  }

  // Instruction `i` with its sources replaced by their roots. Values that differ by a constant have one root.
  operand recompute(std::uint32_t n, const instruction& i) {
    instruction copy = i;
    bool keep_values = true;
    for (operand& o : copy.operands().subspan(1)) {
      o = root_of(o);
      keep_values = keep_values && (!o.is_reg() || o.id >= marks_.size() || marks_[o.id].is_value);
    }
    const token type = f_.registers[i[0].id].type;
    return keep_values ? added_.compute_once(f_, n, type, copy) : added_.compute(f_, n, type, copy);
  }

  void set(const instruction& i, const operand& root, std::int64_t offset) {
    parts_[i[0].id].root = root.id;
    parts_[i[0].id].offset = offset;
  }

  bool may_be_negative(const instruction& i) const {
    if (computes(i.op, calculation::sub) && i[2].is_reg()) return true;
    return (is_value(i[1]) && marks_[i[1].id].may_be_negative) ||
           (i.operand_count > 2 && is_value(i[2]) && marks_[i[2].id].may_be_negative);
  }

  // root + offset did not wrap, says the language; for the root alone that follows except where an unsigned difference
  // was lifted above zero by a constant: (i + 2) - k is fine where i - k is not.
  bool widens(const instruction& i, std::int64_t offset) const {
    if (offset < -max_index_offset || offset > max_index_offset) return false;
    return is_signed(i.type()) || offset < 0 || !marks_[i[1].id].may_be_negative;
  }

  void fold(operand& o) const {
    if (!is_address(o) || !marks_[o.id].is_value) return;
    const part& p = parts_[o.id];
    const std::int64_t offset = o.value + p.offset;
    if (offset < -max_address_offset || offset > max_address_offset) return;
    const std::uint32_t root = p.root == no_index ? o.id : p.root;
    const std::uint32_t variable = root < parts_.size() ? parts_[root].variable : no_index;
    if (variable != no_index && offset >= 0) o = operand::address(operand::named(operand_kind::variable, variable), offset);
    else if (p.root != no_index) o = operand::address(operand::reg(root), offset);
  }

  function& f_;
  dynamic_array<mark_of_register> marks_;
  dynamic_array<place> places_;
  dynamic_array<part> parts_;
  insertions added_;
};

}  // namespace detail

inline void fold_offsets(function& f) { detail::address_splitter(f).run(); }

}  // namespace tg::ptx
