// Branches and loops of a recorded kernel, who writes its variables, and which of its registers hold one number in all lanes
// of a warp that come by.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/analysis/lane_value.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/traced_index.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// Made once all is recorded. Cost: linear in the instructions; `varies` goes over them a few times when it is first asked.
class recorded_flow {
 public:
  explicit recorded_flow(tape& t) : tape_(t), f_(t.fn()), definitions_(f_.registers.size()), region_of_(f_.body.size()) {
    dynamic_array<std::uint32_t> open = {0};
    regions_.push_back({});
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      const ptx::instruction& i = f_.body[n];
      if (i.op == ptx::opcode::endif || i.op == ptx::opcode::endloop || i.op == ptx::opcode::else_) {
        if (i.op == ptx::opcode::endloop) regions_[open.back()].condition = i[0];
        const std::uint32_t ended = open.back();
        open.pop_back();
        if (i.op == ptx::opcode::else_) enter(open, regions_[ended].condition, false, n, ended);
      }
      region_of_[n] = open.back();
      if (i.op == ptx::opcode::if_) enter(open, i[0], false, n);
      if (i.op == ptx::opcode::loop) enter(open, {}, true, n);
      is_structured_ = is_structured_ && !ptx::has_trait(i.op, ptx::trait::jumps) && !ptx::has_trait(i.op, ptx::trait::calls);
      if (i.op == ptx::opcode::assume && !i.is_guarded()) assumptions_.push_back(n);
      ptx::for_each_written(f_, i, [&](std::uint32_t r) { definitions_[r].push_back(n); });
    }
  }

  /// Which instructions write a register.
  const dynamic_array<std::uint32_t>& writes(std::uint32_t reg) const { return definitions_[reg]; }

  /// Returns: whether the lanes that come to instruction `at` have all come to instruction `write` equally often since
  /// instruction `first`, which is around both.
  bool are_together(std::uint32_t first, std::uint32_t write, std::uint32_t at) {
    find_varying();
    return come_together(first, write, at);
  }
  /// Returns: whether no lane comes to `write` twice without having come to `first` between.
  bool is_once(std::uint32_t first, std::uint32_t write) const {
    for (std::uint32_t r = region_of_[write]; r != region_of_[first]; r = regions_[r].parent)
      if (r == 0 || regions_[r].is_loop) return false;
    return true;
  }

  /// Returns: the least number that `tg::assume` says a register is where instruction `at` reads it; 0 where it says nothing.
  /// Numbers are unsigned or not, as `type` is.
  std::int64_t assumed_least(std::uint32_t reg, ptx::token type, std::uint32_t at) const {
    std::int64_t out = 0;
    if (definitions_[reg].size() != 1) return out;
    for (const std::uint32_t n : assumptions_) {
      if (n >= at || !encloses(region_of_[n], region_of_[at])) continue;
      const ptx::operand& condition = f_.body[n][0];
      const ptx::instruction* const i = condition.is_reg() && !condition.negated ? only_write(condition.id) : nullptr;
      if (i == nullptr || !ptx::computes(i->op, ptx::calculation::compare) || i->is_guarded() || i->operand_count != 3)
        continue;
      if (i->token_count != 2 || i->type() != type) continue;
      const bool is_turned = (*i)[2] == ptx::operand::reg(reg);
      const ptx::operand &own = (*i)[is_turned ? 2 : 1], &bound = (*i)[is_turned ? 1 : 2];
      if (own != ptx::operand::reg(reg) || !bound.is(ptx::operand_kind::integer) || bound.value < 0 || bound.value > INT32_MAX)
        continue;
      const ptx::token relation = i->tokens()[0];
      if (relation == (is_turned ? ptx::token::le : ptx::token::ge)) out = std::max(out, bound.value);
      if (relation == (is_turned ? ptx::token::lt : ptx::token::gt)) out = std::max(out, bound.value + 1);
      if (relation == ptx::token::eq) out = std::max(out, bound.value);
    }
    return out;
  }

  /// The one instruction that writes a register; null where there are several.
  const ptx::instruction* only_write(std::uint32_t reg) const {
    return definitions_[reg].size() == 1 ? &f_.body[definitions_[reg].front()] : nullptr;
  }

  /// Returns: whether lanes of one warp may hold different numbers in the register.
  bool varies(std::uint32_t reg) {
    find_varying();
    return varies_[reg];
  }
  bool varies(const ptx::operand& o) {
    return o.is_reg() ? varies(o.id) : o.is(ptx::operand_kind::special) && varies_special(o);
  }

  /// The straight line of instructions that an instruction is in: equal numbers are one line.
  dynamic_array<std::uint32_t> lines() const {
    dynamic_array<std::uint32_t> out(f_.body.size());
    std::uint32_t line = 0;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      const ptx::opcode op = f_.body[n].op;
      if (ptx::is_marker(op) || ptx::has_trait(op, ptx::trait::meets_block)) ++line;
      out[n] = line;
    }
    return out;
  }

 private:
  struct region {
    std::uint32_t parent = 0;
    ptx::operand condition;  // of a loop that it goes on
    bool is_loop = false;
    bool varies = false;  // lanes of one warp may go different ways
    std::uint32_t begin = 0;
    std::uint32_t first_side = 0;  // of the other side of a branch: the first one
  };

  void enter(dynamic_array<std::uint32_t>& open, const ptx::operand& condition, bool is_loop, std::uint32_t begin,
             std::uint32_t first_side = 0) {
    regions_.push_back({open.back(), condition, is_loop, false, begin, first_side});
    open.push_back(static_cast<std::uint32_t>(regions_.size() - 1));
  }

  bool encloses(std::uint32_t outer, std::uint32_t inner) const {
    while (inner != outer && inner != 0) inner = regions_[inner].parent;
    return inner == outer;
  }

  /// What stands behind a `tg::break_` is the other side of the branch that breaks: the first side clears a flag, and a loop
  /// goes on only for lanes of which the flag is set. Whoever comes back to the loop has then been in the other side in each
  /// round before, as often as all others that come back. So have lanes at `at`, in front of that branch in the loop or in
  /// the other side itself.
  bool is_behind_break(std::uint32_t r, std::uint32_t at) const {
    const region& own = regions_[r];
    if (own.first_side == 0) return false;
    std::uint32_t loop = own.parent;
    while (loop != 0 && !regions_[loop].is_loop) loop = regions_[loop].parent;
    if (loop == 0 || !encloses(loop, region_of_[at])) return false;
    const std::uint32_t branch = regions_[own.first_side].begin;
    if (at > branch && !encloses(r, region_of_[at])) return false;
    for (std::uint32_t n = branch; n < own.begin; ++n) {
      const ptx::instruction& i = f_.body[n];
      if (region_of_[n] != own.first_side || !ptx::computes(i.op, ptx::calculation::copy) || i.type() != ptx::token::pred)
        continue;
      if (is_break_flag(i[0].id, loop, branch)) return true;
    }
    return false;
  }

  // Set once at the beginning of each round, in front of `branch`, and else cleared only; the loop goes on only where it is
  // set.
  bool is_break_flag(std::uint32_t flag, std::uint32_t loop, std::uint32_t branch) const {
    const auto& writes = definitions_[flag];
    if (writes.size() < 2 || region_of_[writes.front()] != loop || writes.front() > branch) return false;
    if (!is_constant(writes.front(), 1)) return false;
    for (std::size_t k = 1; k < writes.size(); ++k) {
      const ptx::instruction& i = f_.body[writes[k]];
      if (!ptx::computes(i.op, ptx::calculation::copy) || i.is_guarded() || !i[1].is_reg() || i[1].negated) return false;
      if (!encloses(loop, region_of_[writes[k]])) return false;
      const auto& number = definitions_[i[1].id];
      if (number.size() != 1 || !is_constant(number.front(), 0)) return false;
    }
    return holds_only_with(regions_[loop].condition, flag, 0);
  }
  // `setp.ne p, value, 0`
  bool is_constant(std::uint32_t n, std::int64_t value) const {
    const ptx::instruction& i = f_.body[n];
    return ptx::computes(i.op, ptx::calculation::compare) && !i.is_guarded() && i.operand_count == 3 &&
           i.tokens()[0] == ptx::token::ne && i[1] == ptx::operand::integer(value) && i[2] == ptx::operand::integer(0);
  }
  // Whether a condition at the end of a loop is false where the flag is.
  bool holds_only_with(const ptx::operand& o, std::uint32_t flag, int depth) const {
    if (!o.is_reg() || o.negated || depth > 4) return false;
    const auto& writes = definitions_[o.id];
    if (writes.size() == 1) {
      const ptx::instruction& i = f_.body[writes.front()];
      if (i.is_guarded()) return false;
      if (ptx::computes(i.op, ptx::calculation::bit_and))
        return holds_only_with(i[1], flag, depth + 1) || holds_only_with(i[2], flag, depth + 1);
      if (!ptx::computes(i.op, ptx::calculation::copy) || !i[1].is_reg() || i[1].negated) return false;
      if (i[1].id == flag) return writes.front() > definitions_[flag].back();
      return holds_only_with(i[1], flag, depth + 1);
    }
    // A variable: each number that it is given, or the branch that gives it.
    return !writes.empty() && std::all_of(writes.begin(), writes.end(), [&](std::uint32_t n) {
      const ptx::instruction& i = f_.body[n];
      return ptx::computes(i.op, ptx::calculation::copy) && !i.is_guarded() &&
             (holds_only_with(i[1], flag, depth + 1) ||
              (regions_[region_of_[n]].first_side == 0 && !regions_[region_of_[n]].is_loop &&
               holds_only_with(regions_[region_of_[n]].condition, flag, depth + 1)));
    });
  }

  // Lanes part where a condition differs. Inside of a branch, or in the rounds of a loop, those that are there have come
  // the same way, as long as no loop around it brings others back.
  bool come_together(std::uint32_t first, std::uint32_t write, std::uint32_t at) const {
    const std::uint32_t around = region_of_[first];
    if (!is_structured_ || !encloses(around, region_of_[write]) || !encloses(around, region_of_[at])) return false;
    std::uint32_t chain[64];
    int count = 0;
    for (std::uint32_t r = region_of_[write]; r != around; r = regions_[r].parent) {
      if (count == 64) return false;
      chain[count++] = r;
    }
    bool is_again = false;
    while (count-- > 0) {
      const region& r = regions_[chain[count]];
      if (r.varies && (is_again || !encloses(chain[count], region_of_[at])) && !is_behind_break(chain[count], at)) return false;
      is_again = is_again || r.is_loop;
    }
    return true;
  }

  bool is_variable(std::uint32_t reg) const { return definitions_[reg].size() != 1; }

  bool varies_special(const ptx::operand& o) const {
    switch (static_cast<ptx::special>(o.id)) {
      case ptx::special::ctaid_x:
      case ptx::special::ctaid_y:
      case ptx::special::ctaid_z:
      case ptx::special::nctaid_x:
      case ptx::special::nctaid_y:
      case ptx::special::nctaid_z:
      case ptx::special::ntid_x:
      case ptx::special::ntid_y:
      case ptx::special::ntid_z: return false;
      case ptx::special::tid_x: return varies_along(analysis::axis::x);
      case ptx::special::tid_y: return varies_along(analysis::axis::y);
      case ptx::special::tid_z: return varies_along(analysis::axis::z);
      default: return !ptx::is_of_cluster(static_cast<ptx::special>(o.id));
    }
  }
  bool varies_along(analysis::axis direction) const {
    for (int w = 0; w < tape_.block.warps(); ++w)
      if (!analysis::is_same(analysis::thread_coordinate(tape_.block, direction, w).offset)) return true;
    return false;
  }

  // A register where instruction `at` reads it: one that a loop made which lanes leave one by one is not the same any more.
  bool varies_at(std::uint32_t reg, std::uint32_t at) const {
    if (varies_[reg]) return true;
    const auto& own = definitions_[reg];
    if (own.empty()) return true;
    for (const std::uint32_t write : own)
      if (!come_together(own.front(), write, at)) {
        if (is_variable(reg)) return true;
        for (std::uint32_t r = region_of_[write]; r != 0 && !encloses(r, region_of_[at]); r = regions_[r].parent)
          if (regions_[r].is_loop && regions_[r].varies) return true;
      }
    return false;
  }

  bool has_varying_source(const ptx::instruction& i, std::uint32_t at) const {
    if (i.is_guarded()) return true;
    bool out = false;
    ptx::for_each_source(f_, i, [&](std::uint32_t r) { out = out || varies_at(r, at); });
    for (const ptx::operand& o : i.operands()) out = out || (o.is(ptx::operand_kind::special) && varies_special(o));
    return out;
  }

  // By assumption, or by its pattern: what brings lanes that differ together.
  bool is_known_uniform(const ptx::instruction& i) const {
    if (!i[0].is_reg() || is_variable(i[0].id)) return false;
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::div:
      case ptx::calculation::rem:
      case ptx::calculation::shr:
      case ptx::calculation::bit_and:
      case ptx::calculation::sub:
      case ptx::calculation::min:
      case ptx::calculation::max: (void)traced_index(tape_, 0)(i[0]); break;
      default: break;
    }
    const warp_values& known = tape_.followed()[i[0].id];
    return !known.empty() && std::all_of(known.begin(), known.end(), [](const auto& v) { return analysis::is_uniform(v); });
  }

  bool makes_varying(const ptx::instruction& i, std::uint32_t at) const {
    switch (i.op) {
      case ptx::opcode::vote:
      case ptx::opcode::redux: return false;
      // What one lane of the whole warp holds.
      case ptx::opcode::shfl:
        return !i.has(ptx::token::idx) || !i[3].is(ptx::operand_kind::integer) || i[3].value != 31 ||
               (i[2].is_reg() && varies_at(i[2].id, at));
      default: break;
    }
    const ptx::effect does = ptx::effect_of(i);
    return (does != ptx::effect::pure && does != ptx::effect::reads_constant) || has_varying_source(i, at);
  }

  // All is taken to be the same until something shows that it is not.
  void find_varying() {
    if (!varies_.empty()) return;
    varies_.resize(f_.registers.size());
    for (bool changed = true; changed;) {
      changed = false;
      std::uint32_t next = 1;
      dynamic_array<std::uint32_t> open;
      const auto follow_condition = [&](std::uint32_t r, std::uint32_t at) {
        const ptx::operand& c = regions_[r].condition;
        if (regions_[r].varies || !c.is_reg() || !varies_at(c.id, at)) return;
        regions_[r].varies = changed = true;
      };
      for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
        const ptx::instruction& i = f_.body[n];
        switch (i.op) {
          case ptx::opcode::else_:
            follow_condition(next, n);
            regions_[next].varies = regions_[next].varies || regions_[open.back()].varies;
            open.pop_back();
            open.push_back(next++);
            continue;
          case ptx::opcode::if_:
            follow_condition(next, n);
            open.push_back(next++);
            continue;
          case ptx::opcode::loop: open.push_back(next++); continue;
          case ptx::opcode::endloop:
            follow_condition(open.back(), n);
            open.pop_back();
            continue;
          case ptx::opcode::endif: open.pop_back(); continue;
          default: break;
        }
        bool is_fresh = false;
        ptx::for_each_written(f_, i, [&](std::uint32_t r) { is_fresh = is_fresh || !varies_[r]; });
        if (!is_fresh || is_known_uniform(i) || !makes_varying(i, n)) continue;
        ptx::for_each_written(f_, i, [&](std::uint32_t r) { varies_[r] = true; });
        changed = true;
      }
    }
  }

  tape& tape_;
  ptx::function& f_;
  dynamic_array<dynamic_array<std::uint32_t>> definitions_;
  dynamic_array<std::uint32_t> region_of_;
  dynamic_array<std::uint32_t> assumptions_;  // where tg::assume stands
  dynamic_array<region> regions_;
  dynamic_array<bool> varies_;
  bool is_structured_ = true;
};

}  // namespace tg::detail
