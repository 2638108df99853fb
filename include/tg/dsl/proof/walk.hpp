// Follows a recorded kernel once for all threads of a block and asks its questions on the way.
//
// Loops whose conditions are known are followed iteration by iteration. Of others the first is followed with what the
// registers hold before it, then as many consecutive iterations as their counters' period asks for, and one more,
// starting from any later one. That covers every pair of iterations that no barrier keeps apart: with a barrier in
// each, only neighbours can meet; without one, the number of the iteration is another for each thread.
//
// What a loop changes in other ways than by steps is data in later iterations, unless each iteration leaves the same
// number behind whatever it found.
// A branch is left out only where no thread can come: by the ranges and the conditions that `values` proved. That proof
// is checked against examples, and where one contradicts it the branch is followed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/axes.hpp>
#include <tg/dsl/proof/computation.hpp>
#include <tg/dsl/proof/instruction_questions.hpp>
#include <tg/dsl/proof/loop_registers.hpp>
#include <tg/dsl/proof/loop_shape.hpp>
#include <tg/dsl/proof/memory.hpp>

namespace tg::proof {

/// What is taken to be as it looks until the text shows otherwise.
struct trust {
  bool mbarriers = true;  // their phases can be counted
  bool draws = true;      // numbers that blocks draw are their own
};

/// One walk through a function.
class walk {
 public:
  walk(const ptx::module& m, analysis::block_extent block, const dynamic_array<parameter_fact>& parameters,
       bool assumes_no_overflow = false)
      : function_(m.functions[0]),
        structure_(function_),
        values_(function_, block, parameters, assumes_no_overflow),
        compute_(function_, values_),
        ledger_(m, block),
        memory_(values_, ledger_, m, parameters, axes_read(function_)),
        ask_(values_, ledger_, memory_, m.maps, way_) {
    way_.must = way_.may = values_.predicates().everyone();
    exited_ = values_.predicates().known({});
    values_.come_by(way_);
    for (const ptx::instruction& i : function_.body)
      if (i.has(ptx::token::shared_cluster) && bulk_questions::reaches_other_blocks(i)) memory_.be_lost();
  }

  /// Examples are looked for in answer to these only.
  void seek_only(ledger::questions wanted) { ledger_.seek_only(std::move(wanted)); }

  /// Requires: `meetings` of an earlier walk, if the kernel has barriers with numbers.
  void run(const trust& what = {}, const named_barriers* meetings = nullptr) {
    if (!what.mbarriers) ask_.bulk().distrust();
    if (!what.draws) memory_.draws().distrust();
    ask_.know_meetings(meetings);
    follow(0, function_.body.size());
    memory_.finish();
    ask_.judge_named_barriers();
    ask_.bulk().judge_waits();
  }

  /// What could be trusted, as the whole text shows.
  trust earned() const { return {!ask_.bulk().were_misjudged(), !memory_.draws().is_misjudged()}; }

  /// Who has come to which barriers.
  const named_barriers& meetings() const { return ask_.meetings(); }
  bool has_named_barriers() const {
    return std::any_of(function_.body.begin(), function_.body.end(), instruction_questions::is_named);
  }

  dynamic_array<finding> findings() { return ledger_.take(); }
  dynamic_array<source_location> redundant_barriers() const {
    return memory_.barriers().redundant([&](std::uint32_t barrier) { return ledger_.line_of(barrier); });
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
    const bool is_asked = !is_quiet_ && way_.may.any();
    if (is_asked) ask_(n, i);
    if (const bool is_of_warp = i.has(ptx::token::warp); i.op == opcode::assume && is_of_warp) values_.assume_warp_uniform(i);
    else if (i.op == opcode::assume) assume(values_.condition_of(i[0]), i.where);
    if (i.op == opcode::exit || (i.op == opcode::ret && n + 1 < function_.body.size())) leave(i.where);
    compute_(i);
    if (is_asked && ask_.found()) values_.set(i[0].id, values_.integer(*ask_.found()));
    if (is_asked) ask_.know_register(i);
    if (i.is_guarded()) way_ = way;
  }

  // The condition holds from here on. Where nothing but assumptions is behind, all threads of all blocks come by.
  void assume(std::uint32_t condition, ptx::location where) {
    if (!is_quiet_ && known()[exited_].may.none() && way_.is_of_all()) memory_.arrays().assume(known(), condition);
    way_ = way_.assuming(known(), {condition, true, where});
  }

  std::uint32_t condition_of_guard(const ptx::instruction& i) {
    ptx::operand guard = ptx::operand::reg(i.guard);
    guard.negated = i.guard_negated;
    return values_.condition_of(guard);
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
    const auto held = hold(values_, variables);
    const path before = way_;
    const std::uint32_t exited_before = exited_;
    standing at_first = is_uniform ? memory_.now() : standing{};

    way_ = checked(before.with(known(), {choice, true, where}), before, values_.unknowns(), known());
    if (way_.may.any()) follow(begin + 1, middle);
    const auto then = hold(values_, variables);
    standing after_then;
    if (is_uniform) after_then = std::exchange(memory_.now(), std::move(at_first));
    put_back(values_, variables, held);
    go_on(before, exited_before);
    way_ = checked(way_.with(known(), {choice, false, where}), way_, values_.unknowns(), known());
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

  // What stands after one of two ways; `now` is what stands after the second.
  void join(standing first, const literal* first_only, const literal* second_only) {
    standing& now = memory_.now();
    now.uses = joined(std::move(first.uses), now.uses, first_only, second_only);
    if (first.barrier != now.barrier && !first.behind.empty() && !now.behind.empty()) memory_.need(first.barrier);
    if (now.behind.empty()) now.barrier = first.barrier;
    now.behind = joined(std::move(first.behind), now.behind);
  }

  std::size_t follow_loop(std::size_t begin) {
    const std::size_t end = structure_.end_of(begin);
    if (bulk_questions::waits_for_phase(function_, begin, end)) return follow_wait(begin, end);
    const auto variables = structure_.variables_of(function_, begin, end);
    const path before = way_;
    const std::uint32_t exited_before = exited_;
    if (!is_known_at_end(begin, end, variables)) {
      follow_some_iterations(begin, end, variables);
    } else {
      for (int iteration = 0;; ++iteration) {
        const auto held = hold(values_, variables);
        const threads here = way_.may;
        follow(begin + 1, end);
        const std::uint32_t again = values_.condition_of(function_.body[end][0]);
        if (here != before.may) blend_all(values_, known().known(here), variables, held);
        if (known()[again].what != condition::kind::known || iteration >= most_iterations) {
          // Threads may leave here, with what they did since the last barrier and with the registers that they have now.
          const ptx::location at_end = function_.body[end].where;
          standing left = memory_.now();
          const auto left_with = hold(values_, variables);
          way_ = way_.with(known(), {again, true, at_end});
          follow_some_iterations(begin, end, variables);
          join_exit(left, {again, false, at_end});
          memory_.now() = std::move(left);
          blend_all(values_, again, variables, left_with);
          break;
        }
        way_ = way_.with(known(), {again, true, function_.body[end].where});
        if (way_.may.none()) break;
      }
    }
    go_on(before, exited_before);
    return end;
  }

  // A loop that only waits: threads come out of it when the phase is over.
  std::size_t follow_wait(std::size_t begin, std::size_t end) {
    if (!is_quiet_ && way_.may.any()) ask_.bulk().wait(static_cast<std::uint32_t>(begin + 1), function_.body[begin + 1]);
    for (std::size_t n = begin + 1; n < end; ++n) compute_(function_.body[n]);
    return end;
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

  bool is_known_at_end(std::size_t begin, std::size_t end, const dynamic_array<std::uint32_t>& variables) {
    const auto held = hold(values_, variables);
    const std::uint32_t again = rehearse(begin, end);
    put_back(values_, variables, held);
    return known()[again].what == condition::kind::known;
  }

  void follow_some_iterations(std::size_t begin, std::size_t end, const dynamic_array<std::uint32_t>& variables) {
    const loop_shape shape(function_, structure_, begin + 1, end);
    const bool was_loose = is_loose_, was_repeated = ask_.be_repeated(true);
    is_loose_ = is_loose_ || !shape.has_barrier;
    values_.be_loose(is_loose_);
    const auto entry = hold(values_, variables);
    const int period = shape.has_barrier ? shape.period : 1;
    const form turn = single(values_.unknowns().make(
        {.shared = sharing::block, .low = 0, .high = most_turns, .is_iteration = true, .is_loose = is_loose_}));
    const form before_these = scaled(turn, period), first_of_these = add(before_these, constant(1));

    // The iteration before those that are followed: what it leaves behind, and under which condition they come.
    dynamic_array<value> others;
    for (const std::uint32_t reg : shape.others) others.push_back(values::data(values_.is_uniform(values_[reg])));
    std::uint32_t again = 0;
    for (bool is_settled = false; !is_settled;) {
      start_iterations(values_, shape, before_these, variables, entry, others);
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
    const auto finish = [&] {
      is_loose_ = was_loose;
      ask_.be_repeated(was_repeated);
      values_.be_loose(is_loose_);
      finish_iterations(shape, before, again, entry, variables);
    };
    // An outer loop that is rehearsed asks for nothing but what the values are afterwards.
    if (is_quiet_) return finish();

    const auto turns = ask_.bulk().begin_turns(shape.has_barrier && !was_repeated);
    put_back(values_, variables, entry);
    ask_.bulk().begin_turn();
    follow(begin + 1, end);
    const std::uint32_t second = values_.condition_of(function_.body[end][0]);
    standing left = with_exit(memory_.now(), {second, false, at_end});
    way_ = way_.with(known(), {second, true, at_end});
    if (way_.may.none()) {
      again = second;
    } else {
      start_iterations(values_, shape, first_of_these, variables, entry, others);
      if (known()[again].what != condition::kind::known) way_ = way_.with(known(), {again, true, at_end});
      for (int iteration = 0; iteration <= period; ++iteration) {
        ask_.bulk().begin_turn(iteration, period);
        follow(begin + 1, end);
        again = values_.condition_of(function_.body[end][0]);
        std::swap(left, memory_.now());
        join_exit(left, {again, false, at_end});
        if (iteration < period) way_ = way_.with(known(), {again, true, at_end});
        if (way_.may.none()) break;
      }
    }
    memory_.now() = std::move(left);
    ask_.bulk().end_turns(turns);
    finish();
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

  void finish_iterations(const loop_shape& shape, const path& before, std::uint32_t again, const dynamic_array<value>& entry,
                         const dynamic_array<std::uint32_t>& variables) {
    const bool is_uniform = known()[again].is_uniform && before.must == before.may;
    const auto after = hold(values_, shape.others);
    put_back(values_, variables, entry);
    const form turns = single(
        values_.unknowns().make({.shared = is_uniform ? sharing::block : sharing::thread, .low = 1, .is_loose = is_loose_}));
    for (const stepped& c : shape.counters) values_.set(c.reg, stepped_by(values_, c, turns));
    for (std::size_t k = 0; k < shape.others.size(); ++k)
      values_.set(shape.others[k], values::data(is_uniform && values_.is_uniform(after[k])));
  }

  const ptx::function& function_;
  structure structure_;
  values values_;
  computation compute_;
  ledger ledger_;
  memory memory_;
  path way_;
  instruction_questions ask_;
  std::uint32_t exited_ = 0;
  ptx::location left_at_;
  bool is_quiet_ = false;
  bool is_loose_ = false;
};

}  // namespace tg::proof
