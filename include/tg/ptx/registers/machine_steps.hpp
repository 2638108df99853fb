// A flat function as the assembler sees it: which values take registers, what each instruction waits for.
//
// Parameters, constants, the block's size and integers computed from these alone take no register of a thread: they stand in
// the constant bank or in uniform registers. An access needs its address and what it stores in registers of the thread, so a
// move goes before it; since sm_90 so do the base of a scaled index and double parameters, while before it the block's place is
// read by each thread. Copies, constants that an address adds, widened or scaled indices, and the inner one of two logic
// operations have no value of their own: they are one instruction with their reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/known_multiples.hpp>
#include <tg/ptx/registers/machine_step.hpp>
#include <tg/ptx/registers/register_widths.hpp>
#include <tg/ptx/registers/step_cost.hpp>

namespace tg::ptx {
namespace detail {

class step_maker {
 public:
  step_maker(const function& f, int sm)
      : f_(f),
        sm_(sm),
        uses_(count_uses(f)),
        is_free_(f.registers.size()),
        stands_for_(f.registers.size()),
        is_other_(f.registers.size()),
        multiples_(known_multiples(f)) {}

  machine_steps run() {
    look_at_readers();
    for (const instruction& i : f_.body) classify(i);
    out_.widths = register_widths(f_);
    promote_locals();
    for (std::uint32_t n = 0; n < f_.body.size(); ++n)
      if (!is_nothing(f_.body[n])) make(n);
    out_.find_odd();
    return std::move(out_);
  }

 private:
  // Roles in which a register is read.
  static constexpr std::uint8_t not_as_address = 1, not_by_wide_add = 2, not_by_add = 4, not_by_logic = 8, any_role = 15;

  static bool is_wide(token t) { return width_bits(t) == 64 && !is_float(t); }
  static bool is_wide_add(const instruction& i) {
    return (computes(i.op, calculation::add) || computes(i.op, calculation::shl) || i.op == opcode::mad) &&
           (is_wide(i.type()) || i.has(token::wide));
  }
  static bool is_logic(const instruction& i) {
    return has_trait(i.op, trait::bitwise) && has_trait(i.op, trait::commutative) && width_bits(i.type()) == 32;
  }

  void look_at_readers() {
    for (const instruction& i : f_.body) {
      if (i.op == opcode::assume) continue;
      if (i.is_guarded()) is_other_[i.guard] = any_role;
      for (std::size_t k = static_cast<std::size_t>(result_count(i)); k < i.operand_count; ++k)
        for_each_register(f_, i[k], [&](std::uint32_t r) {
          if (!i[k].is(operand_kind::address)) is_other_[r] |= not_as_address;
          if (!is_wide_add(i)) is_other_[r] |= not_by_wide_add;
          if (!computes(i.op, calculation::add) || width_bits(i.type()) != 32) is_other_[r] |= not_by_add;
          if (!is_logic(i)) is_other_[r] |= not_by_logic;
        });
    }
  }

  bool is_value(std::uint32_t r) const { return uses_[r].is_value(); }
  bool is_only(std::uint32_t r, std::uint8_t role) const { return (is_other_[r] & role) == 0; }

  bool reads_free(const instruction& i) const {
    bool all = true;
    for_each_read(f_, i, [&](std::uint32_t r) { all = all && is_free_[r]; });
    return all;
  }

  bool is_uniform(special s) const {
    return (s >= special::ntid_x && s <= special::ntid_z) || (s >= special::nctaid_x && s <= special::nctaid_z) ||
           (sm_ >= 90 && s >= special::ctaid_x && s <= special::ctaid_z);
  }

  // An integer operation of the uniform datapath, or a move.
  bool can_be_uniform(const instruction& i) const {
    if (computes(i.op, calculation::copy))
      return std::none_of(i.operands().begin(), i.operands().end(), [&](const operand& o) {
        return o.is(operand_kind::special) && !is_uniform(static_cast<special>(o.id));
      });
    return has_trait(i.op, trait::uniform) && !is_float(i.type()) && width_bits(i.type()) != 16;
  }

  // One instruction of the machine with those that read it.
  bool is_part_of_reader(const instruction& i, std::uint32_t r) const {
    const bool by_constant = i.operand_count == 3 && i[1].is_reg() && i[2].is(operand_kind::integer);
    switch (calculation_of(i.op)) {
      case calculation::copy: return is_copy(i) && i[1].is_reg();
      case calculation::add: return by_constant && is_only(r, not_as_address);
      case calculation::mul: return i.has(token::wide) && is_only(r, not_by_wide_add);
      case calculation::convert:
        return is_wide(i.tokens()[0]) && width_bits(i.type()) == 32 && !is_float(i.type()) && is_only(r, not_by_wide_add);
      case calculation::shl:
        return is_wide(i.type()) ? is_only(r, not_by_wide_add)
                                 : by_constant && width_bits(i.type()) == 32 && is_only(r, not_by_add);
      default: return is_logic(i) && uses_[r].reads == 1 && is_only(r, not_by_logic);
    }
  }

  void classify(const instruction& i) {
    if (i.is_guarded() || i.operand_count < 2 || !i[0].is_reg() || result_count(i) != 1 || !is_value(i[0].id)) return;
    const std::uint32_t r = i[0].id;
    const bool is_near = sm_ < 90 || i.type() != token::f64;  // an f64 operand is a pair of the thread's since then
    const bool is_constant = is_load(i.op) && is_near && (i[1].base == operand_kind::param || i.has(token::const_));
    if ((is_constant || can_be_uniform(i)) && reads_free(i)) {
      is_free_[r] = true;
      return;
    }
    if (!is_part_of_reader(i, r)) return;
    bool all_values = true;
    for_each_read(f_, i, [&](std::uint32_t s) { all_values = all_values && is_value(s); });
    if (!all_values) return;
    for_each_read(f_, i, [&](std::uint32_t s) { add_reads(stands_for_[r], s); });
  }

  static void add_once(dynamic_array<std::uint32_t>& to, std::uint32_t r) {
    if (std::find(to.begin(), to.end(), r) == to.end()) to.push_back(r);
  }

  void add_reads(dynamic_array<std::uint32_t>& to, std::uint32_t r) const {
    if (is_free_[r]) return;
    if (stands_for_[r].empty()) return add_once(to, r);
    for (const std::uint32_t s : stands_for_[r]) add_reads(to, s);
  }

  bool is_nothing(const instruction& i) const {
    if (i.op == opcode::assume) return true;
    return !i.is_guarded() && i.operand_count > 0 && i[0].is_reg() && result_count(i) == 1 && is_value(i[0].id) &&
           (is_free_[i[0].id] || !stands_for_[i[0].id].empty());
  }

  bool is_in_kept_loop(const pragma& p, std::uint32_t n) const {
    if (p.text != "nounroll" || p.before == no_index || n < p.before) return false;
    for (std::uint32_t m = n; m < f_.body.size(); ++m)
      for (std::uint32_t k = p.before - std::min(p.before, 1u); has_trait(f_.body[m].op, trait::branch) && k <= p.before; ++k)
        if (f_.body[k].op == opcode::label && f_.body[k][0].id == f_.body[m][0].id) return true;
    return false;
  }

  // A small array of words is one value of many registers where no loop keeps its index from being known.
  void promote_locals() {
    constexpr std::int64_t most_bytes = 128;
    std::int64_t bytes = 0;
    for (const variable& v : f_.locals)
      if (v.space == token::local) bytes += std::max<std::int64_t>(v.count, 1) * width_bits(v.type) / 8;
    if (bytes == 0 || bytes > most_bytes) return;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      const instruction& i = f_.body[n];
      if (named_space(i) != token::local || (!is_load(i.op) && !is_store(i.op))) continue;
      if (width_bits(i.type()) != 32) return;
      for (const pragma& p : f_.pragmas)
        if (is_in_kept_loop(p, n)) return;
      for (const operand& o : i.operands())
        if (o.is(operand_kind::address) && o.base == operand_kind::reg && !is_value(o.id)) return;
    }
    array_ = static_cast<std::uint32_t>(out_.widths.size());
    out_.widths.push_back(static_cast<std::uint8_t>((bytes + 3) / 4));
  }

  static bool can_be_guarded(const instruction& i) {
    const effect e = effect_of(i);
    return e != effect::control && e != effect::synchronizes && e != effect::convergent && e != effect::ordered;
  }

  // With branches of its own: an atomic operation on shared memory that the machine has not, which tries until it
  // succeeds, and an exchange between lanes that are not known.
  bool is_many_blocks(const instruction& i) const {
    if (order_of(i) == step_order::exchange && i.operand_count > 1) {
      const operand& lanes = i[i.operand_count - 1u];
      return lanes.is_reg() && !is_free_[lanes.id];
    }
    return i.op == opcode::atom && named_space(i) == token::shared && !i.has(token::exch) && !i.has(token::cas) &&
           (is_float(i.type()) || width_bits(i.type()) != 32);
  }

  // A register for what is in none; the same one until the next label or branch.
  std::uint32_t moved(const operand& o, std::uint8_t width) {
    for (const auto& [from, to] : moved_)
      if (from == o) return to;
    const auto r = static_cast<std::uint32_t>(out_.widths.size());
    out_.widths.push_back(width);
    machine_step s;
    s.op = opcode::mov;
    s.can_be_guarded = true;
    s.latency = sm_ >= 90 ? 30 : 4;  // the constant bank is read by a load there
    s.writes = {r};
    out_.steps.push_back(std::move(s));
    moved_.emplace_back(o, r);
    return r;
  }

  bool is_zero(const operand& o) const {
    if (o.is_immediate()) return o.value == 0;
    const instruction& i = f_.body[uses_[o.id].definition];
    return computes(i.op, calculation::copy) && i[1].is_immediate() && i[1].value == 0;
  }

  void move_stored(const instruction& i, const operand& o, machine_step& to) {
    if (o.is(operand_kind::vector)) {
      for (const operand& part : f_.parts(o)) move_stored(i, part, to);
      return;
    }
    dynamic_array<std::uint32_t> data;
    if (o.is_reg() && !is_free_[o.id]) add_reads(data, o.id);
    if (((o.is_reg() && is_free_[o.id]) || o.is_immediate()) && !is_zero(o))
      data.push_back(moved(o, width_of(o.is_reg() ? f_.registers[o.id].type : i.type())));
    for (const std::uint32_t r : data) add_once(to.reads, r), to.stored.push_back(r);
  }

  bool is_product(const operand& o) const {
    return o.is_reg() && is_value(o.id) && computes(f_.body[uses_[o.id].definition].op, calculation::mul);
  }

  void move_operands(const instruction& i, machine_step& to) {
    const auto move_base = [&](std::uint32_t r) { to.reads.push_back(moved(operand::reg(r), 2)); };
    if (sm_ >= 90 && computes(i.op, calculation::add) && is_wide(i.type()) && i.operand_count == 3)
      for (const std::size_t k : {1u, 2u})
        if (i[k].is_reg() && is_free_[i[k].id] && is_product(i[3 - k])) move_base(i[k].id);
    const effect e = effect_of(i);
    const bool touches =
        e == effect::reads_memory || e == effect::reads_constant || e == effect::writes_memory || e == effect::atomic;
    const bool has_operands_of_its_own = has_trait(i.op, trait::copies) || row_of(i.op).kind == instruction_class::matrix;
    if (!touches || has_operands_of_its_own || to.space == token::param || to.space == token::const_) return;
    const bool is_near = to.space == token::shared || to.space == token::local;
    for (std::size_t k = 0; k < i.operand_count; ++k) {
      const operand& o = i[k];
      if (!o.is(operand_kind::address)) {
        if (k >= static_cast<std::size_t>(result_count(i))) move_stored(i, o, to);
      } else if (!is_near) {
        if (o.base == operand_kind::reg && is_free_[o.id]) move_base(o.id);
        if (o.base == operand_kind::variable) to.reads.push_back(moved(operand::named(operand_kind::variable, o.id), 2));
      }
    }
  }

  // Where an access counts from and how far: through the adds of constants.
  void find_address(const instruction& i, machine_step& out) const {
    const auto at =
        std::find_if(i.operands().begin(), i.operands().end(), [](const operand& o) { return o.is(operand_kind::address); });
    if (at == i.operands().end() || out.space == token::param || out.space == token::const_) return;
    std::size_t lanes = 1;
    for (const operand& o : i.operands())
      if (o.is(operand_kind::vector)) lanes = f_.parts(o).size();
    out.bytes = static_cast<std::int64_t>(lanes) * width_bits(i.type()) / 8;
    out.offset = at->value;
    if (at->base == operand_kind::variable) out.base = machine_step::variables + at->id;
    if (at->base == operand_kind::local) out.base = machine_step::locals + at->id;
    if (at->base != operand_kind::reg) return;
    for (out.base = at->id; is_value(out.base);) {
      const instruction& d = f_.body[uses_[out.base].definition];
      const bool is_add = computes(d.op, calculation::add) && d.operand_count == 3 && d[2].is(operand_kind::integer);
      if (d.is_guarded() || !d[0].is_reg() || !(is_add || is_copy(d)) || !d[1].is_reg() || !is_value(d[1].id)) return;
      if (is_add) out.offset += d[2].value;
      out.base = d[1].id;
    }
  }

  std::int64_t compared_multiple(const instruction& i) const {
    std::int64_t out = power_in(0);
    bool is_uniform = false;
    for (const std::size_t k : {1u, 2u}) {
      is_uniform = is_uniform || (i[k].is_reg() && is_free_[i[k].id]);
      out = std::min(out, i[k].is_reg() ? multiples_[i[k].id] : power_in(i[k].value));
    }
    return is_uniform ? out : 0;
  }

  void make(std::uint32_t n) {
    const instruction& i = f_.body[n];
    machine_step out;
    out.op = i.op;
    out.is_guarded = i.is_guarded();
    out.is_negated = i.guard_negated;
    out.can_be_guarded = can_be_guarded(i) && !is_many_blocks(i);
    if (i.op == opcode::label || has_trait(i.op, trait::branch)) out.label = i[0].id, moved_.clear();
    for (const pragma& p : f_.pragmas)
      if (i.op == opcode::label && p.text == "nounroll" && (p.before == n || p.before == n + 1)) out.keeps_turns = true;
    if (computes(i.op, calculation::add) && i[2].is(operand_kind::integer)) out.added = i[2].value;
    if (computes(i.op, calculation::compare)) out.compare = i.tokens()[0], out.multiple = compared_multiple(i);
    out.space = named_space(i);
    out.order = is_many_blocks(i) ? step_order::fence : order_of(i);
    out.latency = result_latency(i);
    out.temporaries = temporaries_of(i);
    out.is_called = is_called(i);
    for_each_written(f_, i, [&](std::uint32_t r) {
      if (i.op != opcode::atom || uses_[r].reads != 0) out.writes.push_back(r);
    });
    for_each_read(f_, i, [&](std::uint32_t r) { add_reads(out.reads, r); });
    move_operands(i, out);
    find_address(i, out);
    if (out.space == token::local && array_ != no_index) make_part_of_array(out);
    out_.steps.push_back(std::move(out));
  }

  // The first store begins the array's life, each other one keeps the rest of it.
  void make_part_of_array(machine_step& s) {
    (is_store(s.op) ? s.writes : s.reads).push_back(array_);
    s.order = step_order::any;
    s.latency = 4;
    if (!is_store(s.op)) return;
    s.is_guarded = s.is_guarded || has_begun_;
    has_begun_ = true;
  }

  static step_order order_of(const instruction& i) {
    const instruction_class kind = row_of(i.op).kind;
    switch (effect_of(i)) {
      case effect::reads_memory: return step_order::load;
      case effect::writes_memory: return has_trait(i.op, trait::copies) ? step_order::fence : step_order::store;
      case effect::atomic: return step_order::store;
      case effect::convergent:
        return kind == instruction_class::matrix || kind == instruction_class::memory ? step_order::any : step_order::exchange;
      case effect::ordered: return is_load(i.op) ? step_order::load : is_store(i.op) ? step_order::store : step_order::fence;
      case effect::synchronizes:
      case effect::control: return step_order::fence;
      default: return step_order::any;
    }
  }

  const function& f_;
  int sm_;
  dynamic_array<register_use> uses_;
  dynamic_array<bool> is_free_;
  dynamic_array<dynamic_array<std::uint32_t>> stands_for_;
  dynamic_array<std::uint8_t> is_other_;
  dynamic_array<std::int64_t> multiples_;
  dynamic_array<std::pair<operand, std::uint32_t>> moved_;
  std::uint32_t array_ = no_index;
  bool has_begun_ = false;
  machine_steps out_;
};

}  // namespace detail

/// What ptxas is expected to make of `f` for sm_`sm`. Requires: a flat function.
inline machine_steps to_machine_steps(const function& f, int sm) { return detail::step_maker(f, sm).run(); }

}  // namespace tg::ptx
