// `i < n && x(i) > 0.0f` and `tg::select(i < n, x(i), 0.0f)` read x(i) where i < n, as in C++.
//
//   recorded                             guarded
//   setp.lt     p, i, n                  setp.lt     p, i, n
//   ld.global   f, [x + 4 * i]           mov.pred    v, p
//   setp.gt     q, f, 0                  <if>        p
//   and.pred    r, p, q                    ld.global   f, [x + 4 * i]
//                                          setp.gt     q, f, 0
//                                          mov.pred    v, q
//                                        <endif>
//                                        mov.pred    r, v
//
// The operators are called when both operands have been recorded. A read moves into the branch when nothing but the
// chosen operand needs it, when no branch, loop or write to memory stands between, and when it is a plain load. No result
// changes: where the branch is not taken, nobody looks at what the read gives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <queue>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

class read_guarding {
 public:
  explicit read_guarding(ptx::function& f) : f_(f), uses_(ptx::count_uses(f)) {}

  /// `selections`: registers that `&&`, `||` and `select` made.
  void operator()(dynamic_array<std::uint32_t> selections) {
    // From the end, so that an outer selection is seen before those inside its operands.
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return uses_[a].definition > uses_[b].definition; };
    std::sort(selections.begin(), selections.end(), later);
    selections.erase(std::unique(selections.begin(), selections.end()), selections.end());
    for (const std::uint32_t r : selections) guard(uses_[r].definition);
    if (!before_.empty()) rebuild();
  }

 private:
  using index = std::uint32_t;
  static constexpr index furthest = 1024;  // instructions back from a selection

  void guard(index at) {
    if (at == ptx::no_index) return;
    const ptx::instruction i = f_.body[at];
    using ptx::opcode;
    if (ptx::computes(i.op, ptx::calculation::select)) {
      const dynamic_array<index> first = reads_of(i[1], at), second = reads_of(i[2], at);
      if (!first.empty() || !second.empty()) choose(at, i[3], i[1], first, i[2], second);
    } else if (ptx::computes(i.op, ptx::calculation::bit_and) || ptx::computes(i.op, ptx::calculation::bit_or)) {
      const dynamic_array<index> moved = reads_of(i[2], at);
      if (moved.empty()) return;
      if (ptx::computes(i.op, ptx::calculation::bit_and)) choose(at, i[1], i[2], moved, i[1], {});
      else choose(at, i[1], i[1], {}, i[2], moved);
    }
  }

  // The loads that only `o` of the instruction `at` needs, and what is computed from them for it alone; in their order.
  dynamic_array<index> reads_of(const ptx::operand& o, index at) {
    if (!o.is_reg() || uses_[o.id].definitions != 1) return {};
    dynamic_array<std::pair<index, std::uint32_t>> seen = {{o.id, 1}};  // a register, and how often the cone reads it
    const auto count = [&](std::uint32_t r) -> std::uint32_t& {
      for (auto& [reg, n] : seen)
        if (reg == r) return n;
      return seen.emplace_back(r, 0).second;
    };
    std::priority_queue<index> open;
    open.push(uses_[o.id].definition);
    dynamic_array<index> cone;  // from the end
    while (!open.empty()) {
      const index n = open.top();
      while (!open.empty() && open.top() == n) open.pop();
      const ptx::instruction& i = f_.body[n];
      // A read that has to stay keeps what its address is computed from.
      bool is_own = !i.is_guarded() && (ptx::is_pure(i) || (is_read(i) && can_move(n, at)));
      ptx::for_each_written(
          f_, i, [&](std::uint32_t r) { is_own = is_own && uses_[r].definitions == 1 && count(r) == uses_[r].reads; });
      if (!is_own) continue;
      cone.push_back(n);
      ptx::for_each_source(f_, i, [&](std::uint32_t r) {
        ++count(r);
        if (uses_[r].definitions == 1) open.push(uses_[r].definition);
      });
    }
    return with_reads(std::move(cone));
  }

  // The reads of an operand and what depends on them; none where moving them would show a variable at another time.
  dynamic_array<index> with_reads(dynamic_array<index> cone) const {
    std::reverse(cone.begin(), cone.end());
    dynamic_array<index> out;
    dynamic_array<std::uint32_t> made;
    for (const index n : cone) {
      const ptx::instruction& i = f_.body[n];
      bool moves = is_read(i), is_fixed = true;
      ptx::for_each_source(f_, i, [&](std::uint32_t r) {
        moves = moves || std::find(made.begin(), made.end(), r) != made.end();
        is_fixed = is_fixed && uses_[r].definitions == 1;
      });
      if (!moves) continue;
      if (!is_fixed) return {};
      out.push_back(n);
      ptx::for_each_written(f_, i, [&](std::uint32_t r) { made.push_back(r); });
    }
    return out;
  }

  static bool is_read(const ptx::instruction& i) {
    return ptx::is_load(i.op) && i.access != ptx::no_index && ptx::effect_of(i) <= ptx::effect::reads_memory;
  }

  // Whether nothing between forbids that the read `n` happens in front of the instruction `at`.
  bool can_move(index n, index at) {
    const bool is_constant = ptx::effect_of(f_.body[n]) == ptx::effect::reads_constant;
    index p = at;
    for (index steps = 0; steps < furthest; ++steps) {
      p = previous(p);
      if (p == n) return true;
      if (p == ptx::no_index) return false;
      const ptx::effect e = ptx::effect_of(f_.body[p]);
      if (e == ptx::effect::control || (e > ptx::effect::convergent && !is_constant)) return false;
    }
    return false;
  }

  // `at` becomes: where `condition` holds `first`, whose reads are done there, else `second`.
  void choose(index at, const ptx::operand& condition, const ptx::operand& first, const dynamic_array<index>& first_reads,
              const ptx::operand& second, const dynamic_array<index>& second_reads) {
    using ptx::opcode;
    link();
    const ptx::operand result = f_.body[at][0];
    const ptx::token type = ptx::register_class(f_.registers[result.id].type);
    const ptx::operand chosen = new_register(type);
    if (condition.is_reg()) ++uses_[condition.id].reads;
    const auto arm = [&](const dynamic_array<index>& reads, const ptx::operand& from) {
      for (const index n : reads) move(n, at);
      insert(at, ptx::operation::copy(type), {chosen, from});
    };
    if (!first_reads.empty() && !second_reads.empty()) {
      insert(at, opcode::if_, {}, {condition});
      arm(first_reads, first);
      insert(at, opcode::else_, {}, {});
      arm(second_reads, second);
    } else if (!first_reads.empty()) {
      insert(at, ptx::operation::copy(type), {chosen, second});
      insert(at, opcode::if_, {}, {condition});
      arm(first_reads, first);
    } else {
      const ptx::operand other = new_register(ptx::token::pred);
      insert(at, opcode::not_, {ptx::token::pred}, {other, condition});
      insert(at, ptx::operation::copy(type), {chosen, first});
      insert(at, opcode::if_, {}, {other});
      arm(second_reads, second);
    }
    insert(at, opcode::endif, {}, {});
    const ptx::location where = f_.body[at].where;
    f_.body[at] = ptx::instruction(ptx::operation::copy(type), {result, chosen});
    f_.body[at].where = where;
  }

  ptx::operand new_register(ptx::token type) {
    uses_.push_back({.definitions = 2});
    return ptx::operand::reg(f_.new_register(type));
  }

  // The body as a list: what is in front of each instruction and behind it.
  void link() {
    if (!before_.empty()) return;
    const auto size = static_cast<index>(f_.body.size());
    before_.resize(size);
    after_.resize(size);
    for (index n = 0; n < size; ++n) before_[n] = n - 1, after_[n] = n + 1 == size ? ptx::no_index : n + 1;
  }

  index previous(index n) const { return before_.empty() ? n - 1 : before_[n]; }

  void put(index n, index in_front_of) {
    before_[n] = before_[in_front_of];
    after_[n] = in_front_of;
    if (before_[n] != ptx::no_index) after_[before_[n]] = n;
    before_[in_front_of] = n;
  }

  void move(index n, index in_front_of) {
    if (before_[n] != ptx::no_index) after_[before_[n]] = after_[n];
    before_[after_[n]] = before_[n];
    put(n, in_front_of);
  }

  void insert(index in_front_of, const ptx::operation& what, std::initializer_list<ptx::operand> operands) {
    insert(in_front_of, what.op, {what.tokens[0], what.tokens[1], what.tokens[2]}, operands);
  }
  void insert(index in_front_of, ptx::opcode op, std::initializer_list<ptx::token> tokens,
              std::initializer_list<ptx::operand> operands) {
    const ptx::location where = f_.body[in_front_of].where;
    f_.body.emplace_back(op, tokens, operands).where = where;
    before_.push_back(ptx::no_index);
    after_.push_back(ptx::no_index);
    put(static_cast<index>(f_.body.size() - 1), in_front_of);
  }

  void rebuild() {
    index n = 0;
    while (before_[n] != ptx::no_index) n = before_[n];
    dynamic_array<ptx::instruction> body;
    body.reserve(f_.body.size() + 64);
    for (; n != ptx::no_index; n = after_[n]) body.push_back(f_.body[n]);
    f_.body = std::move(body);
  }

  ptx::function& f_;
  dynamic_array<ptx::register_use> uses_;
  dynamic_array<index> before_, after_;
};

/// Finds whether a read may be among what a register is computed from. `definition_of(r)`: the instruction that computed
/// r; null where that is not known. Cost: each register is looked at once, however many ask for it.
template <class DefinitionOf> class read_search {
 public:
  read_search(const ptx::function& f, DefinitionOf definition_of)
      : f_(f), definition_of_(definition_of), is_seen_(f.registers.size()) {}

  /// `reg` is a variable that is written more than once, so that what it holds does not move.
  void pass(std::uint32_t reg) { is_seen_[reg] = 1; }

  /// Once it has said yes, it says so of every register.
  bool operator()(std::uint32_t reg) {
    see(reg);
    for (; !open_.empty() && !is_found_; close()) {}
    return is_found_;
  }

 private:
  void see(std::uint32_t reg) {
    if (is_seen_[reg] != 0) return;
    is_seen_[reg] = 1;
    open_.push_back(reg);
  }

  void close() {
    const ptx::instruction* const i = definition_of_(open_.back());
    open_.pop_back();
    if (i == nullptr || i->access != ptx::no_index) is_found_ = true;
    else ptx::for_each_source(f_, *i, [&](std::uint32_t r) { see(r); });
  }

  const ptx::function& f_;
  DefinitionOf definition_of_;
  dynamic_array<std::uint8_t> is_seen_;
  dynamic_array<std::uint32_t> open_;
  bool is_found_ = false;
};

/// Moves the reads that only the chosen operand of a selection needs into a branch. Requires: structured control flow;
/// `selections` are registers that and.pred, or.pred and selp wrote. Cost: nothing without selections.
inline void guard_reads(ptx::function& f, const dynamic_array<std::uint32_t>& selections) {
  if (!selections.empty()) read_guarding{f}(selections);
}

}  // namespace tg::detail
