// What is read off a loop before it is followed: which registers it steps, which it changes otherwise, its barriers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// Partners of the markers of structured control flow, and which registers are variables.
class structure {
 public:
  explicit structure(const ptx::function& f)
      : other_(f.body.size()), assigned_(f.registers.size()), definition_(f.registers.size()) {
    dynamic_array<std::size_t> open;
    for (std::size_t n = 0; n < f.body.size(); ++n) {
      const ptx::instruction& i = f.body[n];
      if (i.op == ptx::opcode::if_ || i.op == ptx::opcode::loop) open.push_back(n);
      if (i.op == ptx::opcode::else_) other_[open.back()] = n, open.back() = n;
      if (i.op == ptx::opcode::endif || i.op == ptx::opcode::endloop) other_[open.back()] = n, open.pop_back();
      if (ptx::result_count(i) > 0 && i[0].is_reg()) ++assigned_[i[0].id], definition_[i[0].id] = n;
    }
  }

  /// Where the branch or loop at `n` goes on: its else or end.
  std::size_t end_of(std::size_t n) const { return other_[n]; }
  bool is_variable(std::uint32_t reg) const { return assigned_[reg] > 1; }
  /// The instruction that defines a register which is no variable.
  std::size_t definition_of(std::uint32_t reg) const { return definition_[reg]; }

  /// The variables that instructions `begin` to `end` assign.
  dynamic_array<std::uint32_t> variables_of(const ptx::function& f, std::size_t begin, std::size_t end) const {
    dynamic_array<std::uint32_t> out;
    for (std::size_t n = begin; n < end; ++n)
      if (const ptx::instruction& i = f.body[n]; ptx::result_count(i) > 0 && i[0].is_reg() && is_variable(i[0].id))
        out.push_back(i[0].id);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  dynamic_array<std::size_t> other_;
  dynamic_array<std::uint32_t> assigned_;
  dynamic_array<std::size_t> definition_;
};

/// A register that grows by the same step in each iteration.
struct stepped {
  std::uint32_t reg = 0;
  ptx::operand step;
  ptx::token type = ptx::token::u32;  // of the addition
};

/// The loop whose body is `begin` to `end`.
struct loop_shape {
  dynamic_array<stepped> counters;
  dynamic_array<std::uint32_t> others;  // variables that it changes in other ways
  bool has_barrier = false;             // in every iteration, whatever the conditions are
  int period = 1;                       // its counters matter modulo this

  loop_shape(const ptx::function& f, const structure& s, std::size_t begin, std::size_t end) {
    for (const std::uint32_t reg : s.variables_of(f, begin, end)) {
      stepped found{.reg = reg, .step = {}};
      if (is_stepped(f, s, begin, end, found)) counters.push_back(found);
      else others.push_back(reg);
    }
    // What comes of variables that the loop assigns; the remainder of a lane's number says nothing about iterations.
    dynamic_array<bool> varies(f.registers.size());
    for (const stepped& c : counters) varies[c.reg] = true;
    for (const std::uint32_t reg : others) varies[reg] = true;
    int depth = 0;
    for (std::size_t n = begin; n < end; ++n) {
      const ptx::instruction& i = f.body[n];
      const bool is_varied = reads_any(i, varies);
      if (is_varied && ptx::result_count(i) > 0 && i[0].is_reg()) varies[i[0].id] = true;
      depth += (i.op == ptx::opcode::if_) - (i.op == ptx::opcode::endif);
      // One with a number or a count may be that of some warps only.
      const bool is_block_wide = ptx::has_trait(i.op, ptx::trait::meets_block) && !i.has(ptx::token::warp) &&
                                 !i.has(ptx::token::arrive) && !i.is_guarded() && i.operand_count == 1 &&
                                 i[0].is(ptx::operand_kind::integer) && i[0].value == 0;
      has_barrier = has_barrier || (depth == 0 && is_block_wide);
      const bool is_small =
          is_varied && i.operand_count == 3 && i[2].is(ptx::operand_kind::integer) && i[2].value > 0 && i[2].value <= 8;
      if (!is_small) continue;
      const auto by = static_cast<int>(i[2].value);
      if (ptx::computes(i.op, ptx::calculation::rem)) lengthen(by);
      if (ptx::computes(i.op, ptx::calculation::bit_and) && (by & (by + 1)) == 0) lengthen(by + 1);
    }
  }

 private:
  static bool reads_any(const ptx::instruction& i, const dynamic_array<bool>& varies) {
    for (int k = ptx::result_count(i); k < i.operand_count; ++k)
      if (i[k].is_reg() && varies[i[k].id]) return true;
    return false;
  }
  void lengthen(int by) {
    if (const int both = std::lcm(period, by); both <= 12) period = both;
  }

  // One assignment, not under a condition: `mov reg, next` where next = (copy of reg) + step.
  static bool is_stepped(const ptx::function& f, const structure& s, std::size_t begin, std::size_t end, stepped& out) {
    const std::uint32_t reg = out.reg;
    int depth = 0;
    const ptx::instruction* found = nullptr;
    for (std::size_t n = begin; n < end; ++n) {
      const ptx::instruction& i = f.body[n];
      depth += (i.op == ptx::opcode::if_ || i.op == ptx::opcode::loop) -
               (i.op == ptx::opcode::endif || i.op == ptx::opcode::endloop);
      if (ptx::result_count(i) == 0 || !i[0].is_reg() || i[0].id != reg) continue;
      if (found != nullptr || depth != 0 || !ptx::computes(i.op, ptx::calculation::copy) || !i[1].is_reg() ||
          s.is_variable(i[1].id))
        return false;
      found = &i;
    }
    if (found == nullptr || found->is_guarded()) return false;
    const std::size_t at = s.definition_of((*found)[1].id);
    const ptx::instruction& next = f.body[at];
    if (at < begin || at >= end || !ptx::computes(next.op, ptx::calculation::add) || next.type() == ptx::token::f32 ||
        next.type() == ptx::token::f64)
      return false;
    for (const std::size_t k : {1u, 2u}) {
      if (!next[k].is_reg() || s.is_variable(next[k].id)) continue;
      const std::size_t copy = s.definition_of(next[k].id);
      const ptx::instruction& c = f.body[copy];
      if (copy < begin || copy >= end || !ptx::computes(c.op, ptx::calculation::copy) || !c[1].is_reg() || c[1].id != reg)
        continue;
      const ptx::operand& step = out.step = next[3 - k];
      out.type = next.type();
      if (step.is(ptx::operand_kind::integer)) return true;
      return step.is_reg() && !s.is_variable(step.id) && s.definition_of(step.id) < begin;
    }
    return false;
  }
};

}  // namespace tg::proof
