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
// chosen operand needs it, when it is a plain load, and when nothing between writes memory it may read (read_cone.hpp). What
// is computed from it moves along, with branches and loops. No result changes: where the branch is not taken, nobody looks
// at what the read gives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/body_facts.hpp>
#include <tg/dsl/recorder/read_cone.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

class read_guarding {
 public:
  explicit read_guarding(ptx::function& f) : f_(f), facts_(f), cone_(f, facts_) {}

  /// `selections`: registers that `&&`, `||` and `select` made.
  void operator()(dynamic_array<std::uint32_t> selections) {
    // From the end, so that an outer selection is seen before those inside its operands.
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return facts_[a].definition > facts_[b].definition; };
    std::sort(selections.begin(), selections.end(), later);
    selections.erase(std::unique(selections.begin(), selections.end()), selections.end());
    for (const std::uint32_t r : selections) guard(facts_[r].definition);
    if (!before_.empty()) rebuild();
  }

 private:
  using index = std::uint32_t;

  void guard(index at) {
    // A selection that nobody looks at chooses nothing: others do look at what it was to choose from.
    if (at == ptx::no_index || facts_.is_dead(at)) return;
    const ptx::instruction i = f_.body[at];
    if (ptx::computes(i.op, ptx::calculation::select)) {
      const dynamic_array<stretch> first = reads_of(i[1], at), second = reads_of(i[2], at);
      if (!first.empty() || !second.empty()) choose(at, i[3], i[1], first, i[2], second);
    } else if (ptx::computes(i.op, ptx::calculation::bit_and) || ptx::computes(i.op, ptx::calculation::bit_or)) {
      const dynamic_array<stretch> moved = reads_of(i[2], at);
      if (moved.empty()) return;
      if (ptx::computes(i.op, ptx::calculation::bit_and)) choose(at, i[1], i[2], moved, i[1], {});
      else choose(at, i[1], i[1], {}, i[2], moved);
    }
  }

  // A selection that was moved is where the one is that it was moved to.
  index place_of(index n) const { return moved_to_.empty() || moved_to_[n] == ptx::no_index ? n : moved_to_[n]; }

  dynamic_array<stretch> reads_of(const ptx::operand& o, index at) { return cone_(o, at, place_of(at)); }

  // `at` becomes: where `condition` holds `first`, whose reads are done there, else `second`.
  void choose(index at, const ptx::operand& condition, const ptx::operand& first, const dynamic_array<stretch>& first_reads,
              const ptx::operand& second, const dynamic_array<stretch>& second_reads) {
    using ptx::opcode;
    link();
    const ptx::operand result = f_.body[at][0];
    const ptx::token type = ptx::register_class(f_.registers[result.id].type);
    const ptx::operand chosen = new_register(type);
    if (condition.is_reg()) ++facts_[condition.id].reads;
    const auto arm = [&](const dynamic_array<stretch>& reads, const ptx::operand& from) {
      const index block = facts_.new_block();
      for (const stretch& r : reads) {
        move(r, at);
        facts_.put(r, block);
        if (r.first == r.last) moved_to_[r.first] = place_of(at);
        note_results(r);
      }
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

  ptx::operand new_register(ptx::token type) { return ptx::operand::reg(f_.new_register(type)); }

  void note_results(const stretch& s) {
    for (index n = s.first; n <= s.last; ++n) ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) { is_moved_[r] = 1; });
  }

  // A dead instruction that reads what is in a branch now.
  bool has_lost_sources(index n) {
    if (!facts_.is_dead(n)) return false;
    bool lost = false;
    ptx::for_each_read(f_, f_.body[n], [&](std::uint32_t r) { lost = lost || is_moved_[r] != 0; });
    if (lost) ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) { is_moved_[r] = 1; });
    return lost;
  }

  // The body as a list: what is in front of each instruction and behind it.
  void link() {
    if (!before_.empty()) return;
    const auto size = static_cast<index>(f_.body.size());
    before_.resize(size);
    after_.resize(size);
    moved_to_.resize(size, ptx::no_index);
    is_moved_.resize(facts_.registers());
    for (index n = 0; n < size; ++n) before_[n] = n - 1, after_[n] = n + 1 == size ? ptx::no_index : n + 1;
  }

  void put(const stretch& s, index in_front_of) {
    before_[s.first] = before_[in_front_of];
    after_[s.last] = in_front_of;
    if (before_[s.first] != ptx::no_index) after_[before_[s.first]] = s.first;
    before_[in_front_of] = s.last;
  }

  void move(const stretch& s, index in_front_of) {
    if (before_[s.first] != ptx::no_index) after_[before_[s.first]] = after_[s.last];
    before_[after_[s.last]] = before_[s.first];
    put(s, in_front_of);
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
    const auto n = static_cast<index>(f_.body.size() - 1);
    put({n, n}, in_front_of);
  }

  void rebuild() {
    index n = 0;
    while (before_[n] != ptx::no_index) n = before_[n];
    dynamic_array<ptx::instruction> body;
    body.reserve(f_.body.size() + 64);
    for (; n != ptx::no_index; n = after_[n])
      if (!has_lost_sources(n)) body.push_back(f_.body[n]);
    f_.body = std::move(body);
  }

  ptx::function& f_;
  body_facts facts_;
  read_cone cone_;
  dynamic_array<index> before_, after_;
  dynamic_array<index> moved_to_;         // in front of which selection an instruction is now
  dynamic_array<std::uint8_t> is_moved_;  // registers whose value is known in a branch only
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
