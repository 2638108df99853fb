// Common-subexpression elimination while recording. ptx/passes/merge_equal.hpp does it again on purpose: this one keeps the
// recording short, that one merges what passes have made equal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// Follows a recording. A register that `compute` made is a value: it is never written again. All others are variables,
/// and what they hold is known until control flow meets other control flow. Until then an assignment of a value waits,
/// and the next one takes its place, unless an instruction names the variable itself. Integer arithmetic that was
/// recorded in a branch and is asked for outside of it moves in front of the branch, if its sources are known there and
/// it is near.
class known_values {
 public:
  known_values() { values_.reserve(8192), contents_.reserve(8192); }

  using tokens = std::initializer_list<ptx::token>;
  using operands = std::initializer_list<ptx::operand>;

  /// A register that holds the result of `op.tokens type, sources...`: an earlier one, where every path to here has it
  /// and it is still remembered, or else a new one behind one more instruction.
  [[gnu::always_inline]] ptx::operand compute(ptx::builder& to, ptx::token type, ptx::opcode op, tokens tokens,
                                              operands sources) {
    const ptx::function& f = to.fn();
    if (op == ptx::opcode::mov && is_variable(*sources.begin())) {
      const std::uint32_t from = sources.begin()->id;
      const contents of = held_in(from);
      if (of.since == epoch_ && ptx::register_class(f.registers[of.value].type) == ptx::register_class(type))
        return ptx::operand::reg(of.value);
      assign_used(to, sources);
      const ptx::operand read = add(to, type, op, tokens, sources);
      held_in(from) = {.value = read.id, .since = epoch_};
      return read;
    }
    if (!is_repeatable(op, tokens, sources)) {
      assign_used(to, sources);
      return add(to, type, op, tokens, sources);
    }
    const std::uint32_t hash = hash_of(op, tokens, sources), place = hash % entries_.size();
    for (const std::uint32_t at : {place, place ^ 1}) {
      const entry& known = entries_[at];
      if (known.hash == hash && known.value != ptx::no_index && f.registers[known.value].type == type &&
          is_same(f.body[values_[known.value].position], op, tokens, sources) &&
          (regions_[values_[known.value].region].is_open || lift(to.fn(), known.value)))
        return ptx::operand::reg(known.value);
    }
    const ptx::operand made = add(to, type, op, tokens, sources);
    if (entries_[place].value != ptx::no_index) entries_[place ^ 1] = entries_[place];
    entries_[place] = {hash, made.id};
    return made;
  }

  /// Any other instruction.
  void emit(ptx::builder& to, ptx::opcode op, tokens tokens, operands operands) {
    if (op == ptx::opcode::mov && is_variable(*operands.begin()) && is_value(operands.begin()[1])) {
      contents& now = held_in(operands.begin()->id);
      if (!now.is_waiting) waiting_.push_back(operands.begin()->id);
      now = {operands.begin()[1].id, epoch_, true, *tokens.begin(), to.where()};
      return;
    }
    if (ptx::is_marker(op)) assign_all(to);
    else assign_used(to, operands);
    to.emit(op, tokens, operands);
    follow(to.fn());
  }

  /// Assignments to the variables in `operands` that wait are recorded here.
  void settle(ptx::builder& to, operands operands) { assign_used(to, operands); }

  /// Whether an assignment of 0 to a variable waits.
  bool waits_for_zero(const ptx::function& f, std::uint32_t variable) const {
    if (variable >= contents_.size() || !contents_[variable].is_waiting) return false;
    const ptx::instruction* const i = definition_of(f, contents_[variable].value);
    return i != nullptr && ptx::is_copy(*i) && (*i)[1].is_immediate() && (*i)[1].value == 0;
  }
  /// The assignment to a variable that waits goes: the next instruction writes the variable.
  void overwrite(std::uint32_t variable) { contents_[variable] = {}; }

  /// The `endif` at the end of a function goes: its branch is open again.
  void reopened() { open(last_closed_); }

  /// Puts `i`, which writes a variable that nothing has named yet, in front of the instruction at `to`.
  void insert(ptx::function& f, std::uint32_t to, const ptx::instruction& i) {
    f.body.insert(f.body.begin() + to, i);
    for (value& v : values_)
      if (v.region != ptx::no_index && v.position >= to) ++v.position;
    for (std::uint32_t& branch : branches_)
      if (branch >= to) ++branch;
  }

  /// The instruction of `f` that computed a value; null for a variable.
  const ptx::instruction* definition_of(const ptx::function& f, std::uint32_t reg) const {
    return is_value(reg) ? &f.body[values_[reg].position] : nullptr;
  }

 private:
  struct value {
    std::uint32_t region = ptx::no_index;  // where it was computed; of a variable: no_index
    std::uint32_t position = 0;
  };
  /// What a variable holds: `value`, if nothing has happened since.
  struct contents {
    std::uint32_t value = ptx::no_index;
    std::uint32_t since = 0;
    bool is_waiting = false;  // the assignment `mov.type` that was written at `where`
    ptx::token type = ptx::token::none;
    ptx::location where = {};
  };
  struct entry {
    std::uint32_t hash = 0;
    std::uint32_t value = ptx::no_index;
  };
  /// What runs together: the branches, and what is around them.
  struct region {
    std::uint32_t branch = ptx::no_index;  // of `branches_`; that around all has none
    std::uint32_t parent = ptx::no_index;
    bool is_open = true;
  };

  bool is_value(std::uint32_t reg) const { return reg < values_.size() && values_[reg].region != ptx::no_index; }

  bool is_value(const ptx::operand& o) const { return o.is_reg() && !o.negated && is_value(o.id); }
  bool is_variable(const ptx::operand& o) const { return o.is_reg() && !o.negated && !is_value(o.id); }

  contents& held_in(std::uint32_t variable) {
    if (variable >= contents_.size()) contents_.resize(variable + 1);
    return contents_[variable];
  }

  ptx::operand add(ptx::builder& to, ptx::token type, ptx::opcode op, tokens tokens, operands sources) {
    const ptx::operand made = to.compute(type, op, tokens, sources);
    values_.resize(made.id);
    values_.push_back({here_, static_cast<std::uint32_t>(to.fn().body.size() - 1)});
    return made;
  }

  // Indices and conditions are what a kernel asks for again and again; other values are left to the passes.
  bool is_repeatable(ptx::opcode op, tokens tokens, operands sources) const {
    if (tokens.size() == 0 || !ptx::is_word(*(tokens.end() - 1))) return false;
    if (ptx::row_of(op).does != ptx::effect::pure) return false;
    for (const ptx::token t : tokens)
      if (t == ptx::token::cc) return false;
    for (const ptx::operand& o : sources) {
      const bool is_known = o.is_reg()                         ? is_value(o.id)
                            : o.is(ptx::operand_kind::special) ? !ptx::detail::is_changing(static_cast<ptx::special>(o.id))
                                                               : o.is(ptx::operand_kind::integer) && op != ptx::opcode::mov;
      if (!is_known) return false;
    }
    return true;
  }

  static std::uint32_t hash_of(ptx::opcode op, tokens tokens, operands sources) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
    std::uint64_t h = static_cast<std::uint64_t>(op), place = factor;
    for (const ptx::token t : tokens)
      if (t != ptx::token::none) h = h * 1031 + static_cast<std::uint64_t>(t);
    for (const ptx::operand& o : sources) {
      h += (static_cast<std::uint64_t>(o.value) * 31 + (std::uint64_t{o.id} << 8 | static_cast<std::uint64_t>(o.kind))) * place;
      place *= 3;
    }
    return static_cast<std::uint32_t>(h * factor >> 32);
  }

  static bool is_same(const ptx::instruction& i, ptx::opcode op, tokens tokens, operands sources) {
    if (i.op != op || i.operand_count != sources.size() + 1) return false;
    std::size_t count = 0;
    for (const ptx::token t : tokens)
      if (t != ptx::token::none && i.token_array[count++] != t) return false;
    return count == i.token_count && std::equal(sources.begin(), sources.end(), i.operand_array.begin() + 1);
  }

  // What the instruction at the end of `f` means to what is known.
  void follow(ptx::function& f) {
    const ptx::instruction& i = f.body.back();
    switch (i.op) {
      case ptx::opcode::if_:
        branches_.push_back(static_cast<std::uint32_t>(f.body.size() - 1));
        open(static_cast<std::uint32_t>(branches_.size() - 1));
        break;
      case ptx::opcode::else_: open(close()); break;
      case ptx::opcode::endif: last_closed_ = close(); break;
      // Lanes leave a loop in different iterations: what its values were to them, only the variables say behind it.
      case ptx::opcode::loop:
      case ptx::opcode::endloop: ++epoch_; break;
      default:
        ptx::for_each_written(f, i, [&](std::uint32_t r) {
          if (r < contents_.size()) contents_[r] = {};
        });
    }
  }

  void assign(ptx::builder& to, std::uint32_t variable) {
    if (variable >= contents_.size() || !contents_[variable].is_waiting) return;
    contents& now = contents_[variable];
    now.is_waiting = false;
    const ptx::operand target = ptx::operand::reg(variable), value = ptx::operand::reg(now.value);
    to.emit(ptx::operation::copy(now.type), {target, value}).where = now.where;
  }

  void assign_all(ptx::builder& to) {
    for (const std::uint32_t variable : waiting_) assign(to, variable);
    waiting_.clear();
  }

  void assign_used(ptx::builder& to, operands operands) {
    if (waiting_.empty()) return;
    for (const ptx::operand& o : operands) {
      if (o.uses_reg()) assign(to, o.id);
      if (!o.is(ptx::operand_kind::vector) && !o.is(ptx::operand_kind::pair)) continue;
      for (const ptx::operand& part : to.fn().parts(o))
        if (part.is_reg()) assign(to, part.id);
    }
  }

  // From the branches that have ended to the front of the outermost of them, if that is near.
  bool lift(ptx::function& f, std::uint32_t reg) {
    constexpr std::uint32_t furthest = 64;
    std::uint32_t outermost = values_[reg].region;
    while (!regions_[regions_[outermost].parent].is_open) outermost = regions_[outermost].parent;
    const std::uint32_t branch = regions_[outermost].branch, to = branches_[branch], from = values_[reg].position;
    const ptx::instruction& i = f.body[from];
    if (from - to > furthest || !ptx::has_trait(i.op, ptx::trait::cheap)) return false;
    for (std::size_t k = 1; k < i.operand_count; ++k)
      if (i[k].is_reg() && values_[i[k].id].position >= to) return false;
    const auto body = f.body.begin();
    std::rotate(body + to, body + from, body + from + 1);
    for (std::uint32_t n = to + 1; n <= from; ++n)
      if (const ptx::operand& o = f.body[n][0]; o.is_reg() && is_value(o.id) && values_[o.id].position == n - 1)
        values_[o.id].position = n;
    for (std::size_t b = branch; b < branches_.size() && branches_[b] < from; ++b) ++branches_[b];
    values_[reg] = {regions_[outermost].parent, to};
    return true;
  }

  void open(std::uint32_t branch) {
    regions_.push_back({branch, here_});
    here_ = static_cast<std::uint32_t>(regions_.size() - 1);
  }

  std::uint32_t close() {
    region& ended = regions_[here_];
    ended.is_open = false;
    here_ = ended.parent;
    ++epoch_;
    return ended.branch;
  }

  fixed_array<entry, 2048> entries_;       // a later one takes the place of an earlier one
  dynamic_array<value> values_;            // of each register
  dynamic_array<contents> contents_;       // of each variable
  dynamic_array<std::uint32_t> waiting_;   // variables whose assignments wait
  dynamic_array<std::uint32_t> branches_;  // positions of each `if_`
  dynamic_array<region> regions_ = {{}};
  std::uint32_t here_ = 0;  // the innermost open region
  std::uint32_t last_closed_ = ptx::no_index;
  std::uint32_t epoch_ = 1;
};

}  // namespace tg::detail
