// Constant parts of addresses move into the offset of the access, so that x(i - 1), x(i) and x(i + 1) share one
// address.
#pragma once

#include <cstdint>
#include <vector>

#include <tg/ptx/passes/evaluate.hpp>
#include <tg/ptx/passes/insertions.hpp>
#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// Splits what addresses are computed from into `root + constant` and accesses memory at `[root + constant]`. Sums,
/// products and shifts by constants split exactly, as integers that wrap. A widening from 32 to 64 bits splits by the
/// rule of the language that an index does not wrap, for constants up to `max_index_offset`.
void fold_offsets(function& f);

/// Elements; no larger constant is taken through a widening.
inline constexpr std::int64_t max_index_offset = (1 << 24) - 1;

/// Bytes; what one instruction of the machine adds to its address register. Source: ptxas 13.0 gives an access at 2^23
/// an instruction more than one at 2^23 - 4, for sm_75, sm_80, sm_90 and sm_100.
inline constexpr std::int64_t max_address_offset = (1 << 23) - 1;

namespace detail {

class address_splitter {
 public:
  explicit address_splitter(function& f) : f_(f), uses_(count_uses(f)), parts_(uses_.size()) {}

  void run() {
    if (!mark()) return;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      instruction& i = f_.body[n];
      if (splits(i) && parts_[i[0].id].wanted) split(n);
      for (operand& o : i.operands()) fold(o);
    }
    added_.apply(f_);
  }

 private:
  struct part {
    std::uint32_t root = no_index;  // register; none: that of this part itself
    std::int64_t offset = 0;
    operand variable;  // whose address the register holds
    bool wanted = false;
    bool may_be_negative = false;  // contains a difference, which as an unsigned number may have wrapped
  };

  static bool is_address(const operand& o) { return o.is(operand_kind::address) && o.base == operand_kind::reg; }

  bool is_value(const operand& o) const { return o.is_reg() && uses_[o.id].is_value(); }

  // Instructions that have a root and a constant part.
  bool splits(const instruction& i) const {
    if (i.operand_count < 2 || i.is_guarded() || !i[0].is_reg() || !uses_[i[0].id].is_value()) return false;
    const int bits = width_bits(i.type());
    if (bits != 32 && bits != 64) return false;
    if (i.has(token::sat) || i.has(token::cc) || !is_word(i.type())) return false;
    switch (i.op) {
      case opcode::add: case opcode::sub: return true;
      case opcode::shl: return i[2].is(operand_kind::integer);
      case opcode::mul:
        return i[2].is(operand_kind::integer) && (i.has(token::lo) || (i.has(token::wide) && bits == 32));
      case opcode::cvt: return i.token_count == 2 && is_widening(i.token_array[0], i.token_array[1]);
      case opcode::mov: return i[1].is(operand_kind::variable) || i[1].is_reg();
      default: return false;
    }
  }

  static bool is_widening(token to, token from) {
    return is_integer(to) && width_bits(to) == 64 && is_integer(from) && width_bits(from) == 32;
  }

  // What addresses are made of, found from the accesses backwards.
  bool mark() {
    bool found = false;
    for (std::size_t n = f_.body.size(); n-- > 0;) {
      const instruction& i = f_.body[n];
      for (const operand& o : i.operands())
        if (is_address(o)) found = parts_[o.id].wanted = true;
      if (!splits(i) || !parts_[i[0].id].wanted) continue;
      for (std::size_t k = 1; k < i.operand_count; ++k)
        if (is_value(i[k])) parts_[i[k].id].wanted = true;
    }
    return found;
  }

  std::int64_t offset_of(const operand& o) const { return is_value(o) ? parts_[o.id].offset : 0; }

  operand root_of(const operand& o) const {
    return is_value(o) && parts_[o.id].root != no_index ? operand::reg(parts_[o.id].root) : o;
  }

  void split(std::uint32_t n) {
    const instruction i = f_.body[n];
    const int bits = width_bits(i.type());
    const std::int64_t inner = offset_of(i[1]);
    parts_[i[0].id].may_be_negative = may_be_negative(i);
    const auto wrapped = [&](std::uint64_t value) { return sign_extend(static_cast<std::int64_t>(value), bits); };
    switch (i.op) {
      case opcode::mov:
        if (i[1].is(operand_kind::variable)) parts_[i[0].id].variable = i[1];
        else if (is_value(i[1]) && can_replace(f_, i[0].id, i[1].id)) set(i, root_of(i[1]), inner);
        return;
      case opcode::add: case opcode::sub: return split_sum(n, i);
      case opcode::shl:
        if (inner != 0 && i[2].value >= 0 && i[2].value < bits)
          set(i, recompute(n, i), wrapped(static_cast<std::uint64_t>(inner) << i[2].value));
        return;
      case opcode::mul:
        if (inner == 0) return;
        if (i.has(token::lo)) {
          set(i, recompute(n, i), wrapped(static_cast<std::uint64_t>(inner) * static_cast<std::uint64_t>(i[2].value)));
        } else if (widens(i, inner) && (is_signed(i.type()) || i[2].value >= 0)) {
          set(i, recompute(n, i), inner * i[2].value);
        }
        return;
      case opcode::cvt:
        if (inner != 0 && widens(i, inner)) set(i, recompute(n, i), inner);
        return;
      default: return;
    }
  }

  void split_sum(std::uint32_t n, const instruction& i) {
    const auto first = static_cast<std::uint64_t>(offset_of(i[1]));
    const auto second = static_cast<std::uint64_t>(i[2].is(operand_kind::integer) ? i[2].value : offset_of(i[2]));
    const std::uint64_t sum = i.op == opcode::add ? first + second : first - second;
    const std::int64_t offset = sign_extend(static_cast<std::int64_t>(sum), width_bits(i.type()));
    if (i[2].is(operand_kind::integer)) {
      if (is_value(i[1])) set(i, root_of(i[1]), offset);
    } else if (offset != 0 && i[1].is_reg() && i[2].is_reg()) {
      const token type = f_.registers[i[0].id].type;
      set(i, added_.compute(f_, n, type, i.op, {i.type()}, {root_of(i[1]), root_of(i[2])}), offset);
    }
  }

  // The same instruction on the root of its first source.
  operand recompute(std::uint32_t n, const instruction& i) {
    const operand result = operand::reg(f_.new_register(f_.registers[i[0].id].type));
    instruction& copy = added_.before(n, i);
    copy[0] = result;
    copy[1] = root_of(i[1]);
    return result;
  }

  void set(const instruction& i, const operand& root, std::int64_t offset) {
    parts_[i[0].id].root = root.id;
    parts_[i[0].id].offset = offset;
  }

  bool may_be_negative(const instruction& i) const {
    if (i.op == opcode::sub && i[2].is_reg()) return true;
    return (is_value(i[1]) && parts_[i[1].id].may_be_negative) ||
           (i.operand_count > 2 && is_value(i[2]) && parts_[i[2].id].may_be_negative);
  }

  // root + offset did not wrap, says the language; for the root alone that follows except where an unsigned difference
  // was lifted above zero by a constant: (i + 2) - k is fine where i - k is not.
  bool widens(const instruction& i, std::int64_t offset) const {
    if (offset < -max_index_offset || offset > max_index_offset) return false;
    return is_signed(i.type()) || offset < 0 || !parts_[i[1].id].may_be_negative;
  }

  void fold(operand& o) const {
    if (!is_address(o) || !uses_[o.id].is_value()) return;
    const part& p = parts_[o.id];
    const std::int64_t offset = o.value + p.offset;
    if (offset < -max_address_offset || offset > max_address_offset) return;
    const std::uint32_t root = p.root == no_index ? o.id : p.root;
    const operand variable = root < parts_.size() ? parts_[root].variable : operand{};
    if (!variable.is(operand_kind::none) && offset >= 0) o = operand::address(variable, offset);
    else if (p.root != no_index) o = operand::address(operand::reg(root), offset);
  }

  function& f_;
  std::vector<register_use> uses_;
  std::vector<part> parts_;
  insertions added_;
};

}  // namespace detail

inline void fold_offsets(function& f) { detail::address_splitter(f).run(); }

}  // namespace tg::ptx
