// A flat function as the assembler sees it: which values take registers, what each instruction waits for.
//
// No register is taken by what stands in the constant bank or in the uniform registers of the warp: parameters,
// constants, the block's place and integers computed from these alone. No value of its own are a copy, a constant that
// an address adds, and a widened index: multiply, widen and add are one instruction of the machine. A short branch is no
// branch: what it jumps over is guarded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tg/ptx/passes/registers.hpp>
#include <tg/ptx/state_space.hpp>

namespace tg::ptx {

/// How a step must stay in order with others.
enum class step_order : std::uint8_t { any, load, store, exchange, fence };

/// One instruction of the machine.
struct machine_step {
  opcode op = opcode::none;
  std::uint32_t label = no_index;  ///< of a label or branch
  bool is_guarded = false;
  bool adds_constant = false;
  step_order order = step_order::any;
  token space = token::none;
  int latency = 4;      ///< about, in cycles
  int temporaries = 0;  ///< registers that it needs while it runs: some PTX instructions are long sequences
  std::vector<std::uint32_t> writes = {}, reads = {};
};

namespace detail {

class step_maker {
 public:
  explicit step_maker(const function& f)
      : f_(f), uses_(count_uses(f)), is_free_(f.registers.size()), stands_for_(f.registers.size()), is_other_(f.registers.size()),
        guard_at_(f.body.size(), no_index), is_dropped_(f.body.size()) {}

  std::vector<machine_step> run() {
    look_at_readers();
    for (const instruction& i : f_.body) classify(i);
    guard_short_branches();
    std::vector<machine_step> out;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n)
      if (!is_dropped_[n] && !is_nothing(f_.body[n])) out.push_back(make(n));
    return out;
  }

 private:
  // Roles in which a register is read.
  static constexpr std::uint8_t not_as_address = 1, not_by_wide_add = 2;

  static bool is_wide(token t) { return width_bits(t) == 64 && !is_float(t); }
  static bool is_wide_add(const instruction& i) {
    return (i.op == opcode::add || i.op == opcode::shl || i.op == opcode::mad) && (is_wide(i.type()) || i.has(token::wide));
  }

  void look_at_readers() {
    for (const instruction& i : f_.body) {
      const bool is_add = is_wide_add(i);
      if (i.is_guarded()) is_other_[i.guard] |= not_as_address | not_by_wide_add;
      for (int k = result_count(i); k < i.operand_count; ++k) {
        const bool is_address = i[static_cast<std::size_t>(k)].is(operand_kind::address);
        for_each_register(f_, i[static_cast<std::size_t>(k)], [&](std::uint32_t r) {
          if (!is_address) is_other_[r] |= not_as_address;
          if (!is_add) is_other_[r] |= not_by_wide_add;
        });
      }
    }
  }

  bool is_value(std::uint32_t r) const { return uses_[r].is_value(); }

  bool reads_free(const instruction& i) const {
    bool all = true;
    for_each_read(f_, i, [&](std::uint32_t r) { all = all && is_free_[r]; });
    return all;
  }

  static bool is_uniform(special s) {
    return (s >= special::ntid_x && s <= special::ntid_z) || (s >= special::ctaid_x && s <= special::nctaid_z);
  }

  // An integer operation of the uniform datapath, or a move.
  static bool can_be_uniform(const instruction& i) {
    switch (i.op) {
      case opcode::mov:
        for (const operand& o : i.operands())
          if (o.is(operand_kind::special) && !is_uniform(static_cast<special>(o.id))) return false;
        return true;
      case opcode::add: case opcode::sub: case opcode::mul: case opcode::mad: case opcode::shl: case opcode::shr: case opcode::and_:
      case opcode::or_: case opcode::xor_: case opcode::not_: case opcode::neg: case opcode::min: case opcode::max: case opcode::cvt:
      case opcode::cvta: case opcode::selp: case opcode::shf: case opcode::bfe: case opcode::lop3: case opcode::setp:
        return !is_float(i.type()) && width_bits(i.type()) != 16;
      default: return false;
    }
  }

  void classify(const instruction& i) {
    if (i.is_guarded() || i.operand_count < 2 || !i[0].is_reg() || result_count(i) != 1 || !is_value(i[0].id)) return;
    const std::uint32_t r = i[0].id;
    const bool is_constant = i.op == opcode::ld && (i[1].base == operand_kind::param || i.has(token::const_));
    if ((is_constant || can_be_uniform(i)) && reads_free(i)) {
      is_free_[r] = true;
      return;
    }
    const bool is_copy_of = is_copy(i) && i[1].is_reg();
    const bool is_offset = i.op == opcode::add && i.operand_count == 3 && i[1].is_reg() && i[2].is(operand_kind::integer) &&
                           (is_other_[r] & not_as_address) == 0;
    const bool widens = i.op == opcode::cvt && is_wide(i.tokens()[0]) && width_bits(i.type()) == 32 && !is_float(i.type());
    const bool is_index = ((i.op == opcode::mul && i.has(token::wide)) || widens || (i.op == opcode::shl && is_wide(i.type()))) &&
                          (is_other_[r] & not_by_wide_add) == 0;
    if (!is_copy_of && !is_offset && !is_index) return;
    bool all_values = true;
    for_each_read(f_, i, [&](std::uint32_t s) { all_values = all_values && is_value(s); });
    if (!all_values) return;
    for_each_read(f_, i, [&](std::uint32_t s) { add_reads(stands_for_[r], s); });
  }

  void add_reads(std::vector<std::uint32_t>& to, std::uint32_t r) const {
    if (is_free_[r]) return;
    if (stands_for_[r].empty()) {
      if (std::find(to.begin(), to.end(), r) == to.end()) to.push_back(r);
      return;
    }
    for (const std::uint32_t s : stands_for_[r]) add_reads(to, s);
  }

  bool is_nothing(const instruction& i) const {
    return !i.is_guarded() && i.operand_count > 0 && i[0].is_reg() && result_count(i) == 1 && is_value(i[0].id) &&
           (is_free_[i[0].id] || !stands_for_[i[0].id].empty());
  }

  static bool can_be_guarded(const instruction& i) {
    const effect e = effect_of(i);
    return e != effect::control && e != effect::synchronizes && e != effect::atomic && e != effect::convergent && e != effect::ordered;
  }

  void guard_short_branches() {
    constexpr std::uint32_t most = 10;
    std::vector<std::uint32_t> place(f_.label_count, no_index), references(f_.label_count);
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      if (f_.body[n].op == opcode::label) place[f_.body[n][0].id] = n;
      if (f_.body[n].op == opcode::bra) ++references[f_.body[n][0].id];
    }
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      const instruction& i = f_.body[n];
      if (i.op != opcode::bra || !i.is_guarded()) continue;
      const std::uint32_t end = place[i[0].id];
      if (end == no_index || end < n || end - n - 1 > most) continue;
      const auto from = f_.body.begin() + n + 1;
      if (!std::all_of(from, from + (end - n - 1), can_be_guarded)) continue;
      is_dropped_[n] = true;
      if (references[i[0].id] == 1) is_dropped_[end] = true;
      std::fill(guard_at_.begin() + n + 1, guard_at_.begin() + end, i.guard);
    }
  }

  machine_step make(std::uint32_t n) const {
    const instruction& i = f_.body[n];
    machine_step out;
    out.op = i.op;
    out.is_guarded = i.is_guarded() || guard_at_[n] != no_index;
    if (i.op == opcode::label || i.op == opcode::bra) out.label = i[0].id;
    out.adds_constant = i.op == opcode::add && i[2].is(operand_kind::integer);
    out.space = named_space(i);
    out.order = order_of(i);
    out.latency = latency_of(i);
    out.temporaries = temporaries_of(i);
    for_each_written(f_, i, [&](std::uint32_t r) { out.writes.push_back(r); });
    for_each_read(f_, i, [&](std::uint32_t r) { add_reads(out.reads, r); });
    if (guard_at_[n] != no_index) add_reads(out.reads, guard_at_[n]);
    return out;
  }

  static step_order order_of(const instruction& i) {
    switch (effect_of(i)) {
      case effect::reads_memory: return step_order::load;
      case effect::writes_memory: return i.op == opcode::cp ? step_order::fence : step_order::store;
      case effect::atomic: return step_order::store;
      case effect::convergent:
        return i.op == opcode::mma || i.op == opcode::wmma || i.op == opcode::ldmatrix ? step_order::any : step_order::exchange;
      case effect::ordered: case effect::synchronizes: case effect::control: return step_order::fence;
      default: return step_order::any;
    }
  }

  static int latency_of(const instruction& i) {
    switch (i.op) {
      case opcode::ld: case opcode::ldu: case opcode::ldmatrix: case opcode::atom: case opcode::mma: case opcode::wmma:
        return named_space(i) == token::shared ? 30 : named_space(i) == token::param ? 0 : 60;
      case opcode::shfl: case opcode::vote: case opcode::match: case opcode::redux: return 30;
      case opcode::rcp: case opcode::sqrt: case opcode::rsqrt: case opcode::ex2: case opcode::lg2: case opcode::sin: case opcode::cos:
      case opcode::div: case opcode::rem: case opcode::bar: case opcode::activemask: return 18;
      default: return i.has(token::f64) ? 18 : 4;
    }
  }

  static int temporaries_of(const instruction& i) {
    const token t = i.type();
    const bool is_approximate = i.has(token::approx);
    switch (i.op) {
      case opcode::div: case opcode::rem:
        return t == token::f64 ? 12 : is_approximate ? 0 : width_bits(t) == 64 ? 16 : 4;
      case opcode::sqrt: case opcode::rcp: return t == token::f64 ? 12 : is_approximate ? 0 : 3;
      case opcode::rsqrt: return t == token::f64 ? 6 : 0;
      case opcode::fns: return 10;
      case opcode::wmma: return 8;
      case opcode::mul: case opcode::mad: return is_wide(t) || i.has(token::hi) ? 2 : 0;
      default: return 0;
    }
  }

  const function& f_;
  std::vector<register_use> uses_;
  std::vector<bool> is_free_;
  std::vector<std::vector<std::uint32_t>> stands_for_;
  std::vector<std::uint8_t> is_other_;
  std::vector<std::uint32_t> guard_at_;
  std::vector<bool> is_dropped_;
};

}  // namespace detail

/// Requires: a flat function.
inline std::vector<machine_step> to_machine_steps(const function& f) { return detail::step_maker(f).run(); }

}  // namespace tg::ptx
