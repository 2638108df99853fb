// Follows a recorded kernel once for all threads of a block and asks its questions on the way.
//
// Loops whose conditions are known are followed iteration by iteration. Of others the first is followed with what the
// registers hold before it, then as many consecutive iterations as their counters' period asks for, and one more,
// starting from any later one. That covers every pair of iterations that no barrier keeps apart: with a barrier in
// each, only neighbours can meet; without one, the number of the iteration is another for each thread.
//
// What a loop changes in other ways than by steps is data in later iterations, unless each iteration leaves the same
// number behind whatever it found.
//
// A branch is left out only where no thread can come: by the ranges and the conditions that `values` proved. That proof
// is checked against examples, and where one contradicts it the branch is followed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tg/dsl/proof/access.hpp>
#include <tg/dsl/proof/axes.hpp>
#include <tg/dsl/proof/division.hpp>
#include <tg/dsl/proof/loop_shape.hpp>
#include <tg/dsl/proof/memory.hpp>
#include <tg/dsl/proof/named_barriers.hpp>

namespace tg::proof {

/// One walk through a function.
class walk {
 public:
  walk(const ptx::module& m, analysis::block_extent block, const std::vector<parameter_fact>& parameters,
       bool assumes_no_overflow = false)
      : function_(m.functions[0]),
        structure_(function_),
        values_(function_, block, parameters, assumes_no_overflow),
        ledger_(m, block),
        memory_(values_, ledger_, m, parameters) {
    way_.must = way_.may = values_.predicates().everyone();
    exited_ = values_.predicates().known({});
    values_.come_by(way_);
  }

  /// Examples are looked for in answer to these only.
  void seek_only(ledger::questions wanted) { ledger_.seek_only(std::move(wanted)); }

  /// Requires: `meetings` of an earlier walk, if the kernel has barriers with numbers.
  void run(const named_barriers* meetings = nullptr) {
    known_meetings_ = meetings;
    follow(0, function_.body.size());
    memory_.finish(axes_read(function_));
    judge_named_barriers();
  }

  /// Who has come to which barriers.
  const named_barriers& meetings() const { return meetings_; }
  bool has_named_barriers() const { return std::any_of(function_.body.begin(), function_.body.end(), is_named); }

  std::vector<finding> findings() { return ledger_.take(); }
  std::vector<source_location> redundant_barriers() const {
    std::vector<source_location> out;
    for (const std::uint32_t b : memory_.redundant()) out.push_back(ledger_.line_of(b));
    return out;
  }

 private:
  using opcode = ptx::opcode;
  static constexpr int most_iterations = 64;  // that are followed one by one
  // No loop turns more often: at two turns per nanosecond that would take 39 hours.
  static constexpr number most_turns = number{1} << 48;

  conditions& known() { return values_.predicates(); }

  void follow(std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const ptx::instruction& i = function_.body[n];
      if (i.op == opcode::if_) n = follow_branch(n);
      else if (i.op == opcode::loop) n = follow_loop(n);
      else follow_instruction(static_cast<std::uint32_t>(n), i);
    }
  }

  void follow_instruction(std::uint32_t n, const ptx::instruction& i) {
    const path way = way_;
    if (i.is_guarded()) way_ = way.with(known(), {condition_of_guard(i), true, i.where});
    if (!is_quiet_ && way_.may.any()) touch(n, i);
    if (i.op == opcode::assume && !i.has(ptx::token::warp))
      way_ = way_.assuming(known(), {values_.condition_of(i[0]), true, i.where});
    if (i.op == opcode::exit || (i.op == opcode::ret && n + 1 < function_.body.size())) leave(i.where);
    values_.run(i);
    if (i.is_guarded()) way_ = way;
  }

  std::uint32_t condition_of_guard(const ptx::instruction& i) {
    ptx::operand guard = ptx::operand::reg(i.guard);
    guard.negated = i.guard_negated;
    return values_.condition_of(guard);
  }

  void touch(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    const bool is_ordering = i.has(token::acquire) || i.has(token::release) || i.has(token::acq_rel);
    if (is_ordering) memory_.doubt();
    if (ptx::has_trait(i.op, ptx::trait::meets_block)) return i.has(token::warp) ? meet_in_warps(n, i) : meet_in_block(n, i);
    if (ptx::has_trait(i.op, ptx::trait::access)) return access(n, i);
    switch (i.op) {
      case opcode::cp: return copy(n, i);
      case opcode::shfl:
      case opcode::vote:
      case opcode::redux:
      case opcode::match: return ask_for_whole_warps(n, i);
      default:
        if (const ptx::effect does = ptx::effect_of(i);
            does == ptx::effect::writes_memory || does == ptx::effect::atomic || does == ptx::effect::reads_memory)
          memory_.lose(n, "what this instruction touches is not followed");
        else if (does == ptx::effect::synchronizes) memory_.doubt();
    }
  }

  void access(std::uint32_t n, const ptx::instruction& i) {
    if (is_unshared(i)) return;
    if (auto u = access_of(values_, way_, n, i)) memory_.touch(std::move(*u));
    else memory_.lose(n, "the address may be in any memory");
  }

  void copy(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    if (i.has(token::commit_group) && !i.has(token::bulk)) return memory_.commit(way_);
    if (i.has(token::wait_all)) return memory_.wait(way_, 0, true);
    if (i.has(token::wait_group) && !i.has(token::bulk))
      return memory_.wait(way_, static_cast<std::uint32_t>(i[0].value), false);
    if (i.has(token::bulk) || !i.has(token::global) || !i[2].is(ptx::operand_kind::integer)) {
      memory_.doubt();
      return memory_.lose(n, "what this copy touches is not followed");
    }
    memory_.touch(copy_source(values_, way_, n, i));
    memory_.touch(copy_target(values_, way_, n, i), true);
  }

  bool ask(std::uint32_t n, std::size_t group, const char* what, const char* fix) {
    ledger_.ask(question::barrier, n);
    const division d = divided(values_, way_, group, ledger_.seeks(question::barrier, n));
    if (d.what == division::kind::none) return true;
    const bool is_refuted = d.what == division::kind::found;
    ledger_.answer_with(question::barrier, n, is_refuted ? answer::refuted : answer::unknown,
                        is_refuted ? "thread " + ledger_.thread_text(d.comes) + " comes to the " + what + " and thread " +
                                         ledger_.thread_text(d.stays) + " does not"
                                   : std::string("whether all threads come to the ") + what + " depends on data",
                        fix, {}, d.comes, 0, d.branch);
    return false;
  }

  static bool is_named(const ptx::instruction& i) {
    if (!ptx::has_trait(i.op, ptx::trait::meets_block) || i.has(ptx::token::warp)) return false;
    return i.operand_count > 1 || !i[0].is(ptx::operand_kind::integer) || i[0].value != 0 || i.has(ptx::token::arrive);
  }

  void meet_in_block(std::uint32_t n, const ptx::instruction& i) {
    if (!is_named(i)) {
      const bool is_met =
          ask(n, values_.threads(), "barrier", "move the barrier out of the branch, and let no thread leave before it");
      meetings_.come({.instruction = n,
                      .count = static_cast<int>(values_.threads()),
                      .must = way_.must,
                      .may = way_.may,
                      .is_certain = is_met && way_.is_sure && !is_repeated_});
      if (is_met) memory_.barrier(n);
      else memory_.meet({way_.must}, false);
      return;
    }
    ledger_.ask(question::barrier, n);
    const bool is_known = i[0].is(ptx::operand_kind::integer) && (i.operand_count < 2 || i[1].is(ptx::operand_kind::integer));
    const number id = is_known ? i[0].value : -1;
    const number count = is_known && i.operand_count > 1 ? i[1].value : static_cast<number>(values_.threads());
    meetings_.come({.instruction = n,
                    .id = static_cast<int>(id),
                    .count = static_cast<int>(count),
                    .is_arrival = i.has(ptx::token::arrive),
                    .must = way_.must,
                    .may = way_.may,
                    .is_certain = way_.is_sure && !is_repeated_,
                    .is_sure_to_come = is_known && ledger_.seeks(question::barrier, n) && memory_.comes_any(way_)});
    const bool is_met = known_meetings_ != nullptr && known_meetings_->is_simple(static_cast<int>(id));
    memory_.meet({way_.may}, is_met);
  }

  // What became of the barriers with numbers.
  void judge_named_barriers() {
    for (const auto& [n, j] : meetings_.judge()) {
      if (j.what == answer::proved) continue;
      ledger_.answer_with(question::barrier, n, j.what, j.fact,
                          "give the barrier the number of threads that come to it, and let all of them come");
    }
  }

  void meet_in_warps(std::uint32_t n, const ptx::instruction& i) {
    const bool are_all = i[0].is(ptx::operand_kind::integer) && static_cast<std::uint32_t>(i[0].value) == 0xffffffff;
    if (are_all) ask(n, 32, "barrier of its warp", "call it with all lanes of the warp");
    memory_.meet({way_.must, true}, are_all);
  }

  void ask_for_whole_warps(std::uint32_t n, const ptx::instruction& i) {
    const ptx::operand& mask = i[i.operand_count - 1u];
    if (i.has(ptx::token::sync) && mask.is(ptx::operand_kind::integer) && static_cast<std::uint32_t>(mask.value) == 0xffffffff)
      ask(n, 32, "exchange of its warp", "call it with all lanes of the warp");
  }

  // Threads on this way are gone for good.
  void leave(ptx::location where) {
    std::uint32_t here = known().known(known().everyone());
    for (const literal& l : *way_.literals) here = known().both(here, l.holds ? l.condition : known().inverse(l.condition));
    exited_ = known().either(exited_, here);
    left_at_ = where;
    way_.must = way_.may = {};
  }

  // The way goes on for those that are still here.
  void go_on(const path& before, std::uint32_t exited_before) {
    way_ = before;
    if (exited_ != exited_before) way_ = way_.with(known(), {exited_, false, left_at_});
  }

  std::size_t follow_branch(std::size_t begin) {
    const std::size_t middle = structure_.end_of(begin);
    const bool has_else = function_.body[middle].op == opcode::else_;
    const std::size_t end = has_else ? structure_.end_of(middle) : middle;
    const ptx::location where = function_.body[begin].where;
    const std::uint32_t choice = values_.condition_of(function_.body[begin][0]);
    const bool is_uniform = known()[choice].is_uniform;
    const auto variables = structure_.variables_of(function_, begin, end);
    const auto held = hold(variables);
    const path before = way_;
    const std::uint32_t exited_before = exited_;
    standing at_first = is_uniform ? memory_.now() : standing{};

    way_ = checked(before, before.with(known(), {choice, true, where}));
    if (way_.may.any()) follow(begin + 1, middle);
    const auto then = hold(variables);
    standing after_then;
    if (is_uniform) after_then = std::exchange(memory_.now(), std::move(at_first));
    put_back(variables, held);
    go_on(before, exited_before);
    way_ = checked(way_, way_.with(known(), {choice, false, where}));
    if (has_else && way_.may.any()) follow(middle + 1, end);

    if (is_uniform) {
      const literal yes{choice, true, where}, no{choice, false, where};
      if (known()[choice].what == condition::kind::known && known()[choice].must.any()) memory_.now() = std::move(after_then);
      else if (known()[choice].what != condition::kind::known) join(std::move(after_then), &yes, &no);
    }
    for (std::size_t k = 0; k < variables.size(); ++k)
      values_.set(variables[k], values_.blend(choice, then[k], values_[variables[k]]));
    go_on(before, exited_before);
    return end;
  }

  // `way`, unless it is left out although an example comes there: then `before`, in doubt.
  path checked(const path& before, const path& way) const {
    if (way.may.any() || before.may.none()) return way;
    const conditions& all = values_.predicates();
    for (const number argument : arguments_to_try)
      for (const number block : {0, 1}) {
        const choice chosen(values_.unknowns(), all, argument, {block, block, block});
        for (std::size_t t = 0; t < values_.threads(); ++t)
          if (before.may[t] && chosen.takes(way, t) == true) {
            path out = before;
            out.must = {};
            out.is_sure = false;
            return out;
          }
      }
    return way;
  }

  // What stands after one of two ways; `now` is what stands after the second.
  void join(standing first, const literal* first_only, const literal* second_only) {
    standing& now = memory_.now();
    now.uses = joined(std::move(first.uses), now.uses, first_only, second_only);
    if (first.barrier != now.barrier && !first.behind.empty() && !now.behind.empty()) memory_.need(first.barrier);
    if (now.behind.empty()) now.barrier = first.barrier;
    now.behind = joined(std::move(first.behind), now.behind);
  }

  std::vector<value> hold(const std::vector<std::uint32_t>& variables) const {
    std::vector<value> out;
    for (const std::uint32_t reg : variables) out.push_back(values_[reg]);
    return out;
  }
  void put_back(const std::vector<std::uint32_t>& variables, const std::vector<value>& held) {
    for (std::size_t k = 0; k < variables.size(); ++k) values_.set(variables[k], held[k]);
  }

  std::size_t follow_loop(std::size_t begin) {
    const std::size_t end = structure_.end_of(begin);
    const auto variables = structure_.variables_of(function_, begin, end);
    const path before = way_;
    const std::uint32_t exited_before = exited_;
    if (!is_known_at_end(begin, end, variables)) {
      follow_some_iterations(begin, end, variables);
    } else {
      for (int iteration = 0;; ++iteration) {
        const auto held = hold(variables);
        const threads here = way_.may;
        follow(begin + 1, end);
        const std::uint32_t again = values_.condition_of(function_.body[end][0]);
        if (here != before.may) blend_all(variables, here, held);
        if (known()[again].what != condition::kind::known || iteration >= most_iterations) {
          // Threads may leave here, with what they did since the last barrier and with the registers that they have now.
          const ptx::location at_end = function_.body[end].where;
          standing left = memory_.now();
          const auto left_with = hold(variables);
          way_ = way_.with(known(), {again, true, at_end});
          follow_some_iterations(begin, end, variables);
          join_exit(left, {again, false, at_end});
          memory_.now() = std::move(left);
          for (std::size_t k = 0; k < variables.size(); ++k)
            values_.set(variables[k], values_.blend(again, values_[variables[k]], left_with[k]));
          break;
        }
        way_ = way_.with(known(), {again, true, function_.body[end].where});
        if (way_.may.none()) break;
      }
    }
    go_on(before, exited_before);
    return end;
  }

  void blend_all(const std::vector<std::uint32_t>& variables, const threads& here, const std::vector<value>& held) {
    const std::uint32_t active = known().known(here);
    for (std::size_t k = 0; k < variables.size(); ++k)
      values_.set(variables[k], values_.blend(active, values_[variables[k]], held[k]));
  }

  // Follows the body for its values only. Returns: the condition to go on.
  std::uint32_t rehearse(std::size_t begin, std::size_t end) {
    const path before = way_;
    const std::uint32_t exited_before = exited_;
    const bool was_quiet = std::exchange(is_quiet_, true);
    follow(begin + 1, end);
    is_quiet_ = was_quiet;
    way_ = before;
    exited_ = exited_before;
    return values_.condition_of(function_.body[end][0]);
  }

  bool is_known_at_end(std::size_t begin, std::size_t end, const std::vector<std::uint32_t>& variables) {
    const auto held = hold(variables);
    const std::uint32_t again = rehearse(begin, end);
    put_back(variables, held);
    return known()[again].what == condition::kind::known;
  }

  void follow_some_iterations(std::size_t begin, std::size_t end, const std::vector<std::uint32_t>& variables) {
    const loop_shape shape(function_, structure_, begin + 1, end);
    const bool was_loose = is_loose_, was_repeated = is_repeated_;
    is_loose_ = is_loose_ || !shape.has_barrier;
    is_repeated_ = true;
    values_.be_loose(is_loose_);
    const auto entry = hold(variables);
    const int period = shape.has_barrier ? shape.period : 1;
    const form turn = single(values_.unknowns().make(
        {.shared = sharing::block, .low = 0, .high = most_turns, .is_iteration = true, .is_loose = is_loose_}));
    const form before_these = scaled(turn, period), first_of_these = add(before_these, constant(1));

    // The iteration before those that are followed: what it leaves behind, and under which condition they come.
    std::vector<value> others;
    for (const std::uint32_t reg : shape.others) others.push_back(values::data(values_.is_uniform(values_[reg])));
    std::uint32_t again = 0;
    for (bool is_settled = false; !is_settled;) {
      start_iterations(shape, before_these, variables, entry, others);
      again = rehearse(begin, end);
      is_settled = true;
      for (std::size_t k = 0; k < shape.others.size(); ++k) {
        const bool was_shared = others[k].is_uniform;
        if (others[k].what == value::kind::data && was_shared && !values_.is_uniform(values_[shape.others[k]]))
          others[k] = values::data(false), is_settled = false;
      }
    }
    for (std::size_t k = 0; k < shape.others.size(); ++k)
      if (values_.exact(values_[shape.others[k]]) != nullptr) others[k] = values_[shape.others[k]];
    const path before = way_;
    const ptx::location at_end = function_.body[end].where;

    put_back(variables, entry);
    follow(begin + 1, end);
    const std::uint32_t second = values_.condition_of(function_.body[end][0]);
    standing left = with_exit(memory_.now(), {second, false, at_end});
    way_ = way_.with(known(), {second, true, at_end});

    if (way_.may.none()) {
      again = second;
    } else {
      start_iterations(shape, first_of_these, variables, entry, others);
      if (known()[again].what != condition::kind::known) way_ = way_.with(known(), {again, true, at_end});
      for (int iteration = 0; iteration <= period; ++iteration) {
        follow(begin + 1, end);
        again = values_.condition_of(function_.body[end][0]);
        std::swap(left, memory_.now());
        join_exit(left, {again, false, at_end});
        if (iteration < period) way_ = way_.with(known(), {again, true, at_end});
        if (way_.may.none()) break;
      }
    }
    is_loose_ = was_loose;
    is_repeated_ = was_repeated;
    values_.be_loose(is_loose_);
    memory_.now() = std::move(left);
    finish_iterations(shape, before, again, entry, variables);
  }

  // `memory_.now()` is what earlier exits left; `last` stands after the last iteration that was followed, and stays
  // current.
  void join_exit(standing& last, const literal& done) {
    standing exits = std::exchange(memory_.now(), last);
    const standing mine = with_exit(std::move(last), done);
    exits.uses = joined(std::move(exits.uses), mine.uses);
    if (exits.barrier != mine.barrier && !exits.behind.empty() && !mine.behind.empty()) memory_.need(exits.barrier);
    exits.behind = joined(std::move(exits.behind), mine.behind);
    exits.barrier = mine.barrier;
    last = std::move(exits);
  }

  // The registers at the beginning of iteration `number`, counted from 0.
  void start_iterations(const loop_shape& shape, const form& number, const std::vector<std::uint32_t>& variables,
                        const std::vector<value>& entry, const std::vector<value>& others) {
    put_back(variables, entry);
    for (const stepped& c : shape.counters) values_.set(c.reg, stepped_by(c, number));
    for (std::size_t k = 0; k < shape.others.size(); ++k) values_.set(shape.others[k], others[k]);
  }

  // A counter after so many steps, as a number of its type.
  value stepped_by(const stepped& c, const form& number) {
    const form start = values_.form_of(ptx::operand::reg(c.reg));
    const auto grown = values_.unknowns().product(values_.form_of(c.step), number);
    if (!grown) return values::data(false);
    const form now = values_.as_number(add(start, *grown), ptx::width_bits(c.type), ptx::is_signed(c.type));
    return now.is_broken ? values::data(false) : values_.integer(now);
  }

  void finish_iterations(const loop_shape& shape, const path& before, std::uint32_t again, const std::vector<value>& entry,
                         const std::vector<std::uint32_t>& variables) {
    const bool is_uniform = known()[again].is_uniform && before.must == before.may;
    const auto after = hold(shape.others);
    put_back(variables, entry);
    const form turns = single(
        values_.unknowns().make({.shared = is_uniform ? sharing::block : sharing::thread, .low = 1, .is_loose = is_loose_}));
    for (const stepped& c : shape.counters) values_.set(c.reg, stepped_by(c, turns));
    for (std::size_t k = 0; k < shape.others.size(); ++k)
      values_.set(shape.others[k], values::data(is_uniform && values_.is_uniform(after[k])));
  }

  const ptx::function& function_;
  structure structure_;
  values values_;
  ledger ledger_;
  memory memory_;
  path way_;
  std::uint32_t exited_ = 0;
  ptx::location left_at_;
  bool is_quiet_ = false;
  bool is_loose_ = false;
  bool is_repeated_ = false;  // in a loop that is not followed iteration by iteration
  named_barriers meetings_;
  const named_barriers* known_meetings_ = nullptr;
};

}  // namespace tg::proof
