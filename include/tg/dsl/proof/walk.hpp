// Follows a recorded kernel once for all threads of a block and asks its questions on the way.
//
// Loops whose conditions are known are followed iteration by iteration. Of others, as many consecutive iterations as
// their counters' period asks for, and one more, starting from an iteration that nothing is known of.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tg/dsl/proof/division.hpp>
#include <tg/dsl/proof/loop_shape.hpp>
#include <tg/dsl/proof/memory.hpp>

namespace tg::proof {

/// One walk through a function.
class walk {
 public:
  walk(const ptx::module& m, analysis::block_extent block, const std::vector<parameter_fact>& parameters)
      : function_(m.functions[0]),
        structure_(function_),
        values_(function_, block, parameters),
        ledger_(m, block),
        memory_(values_, ledger_, m, parameters) {
    way_.must = way_.may = values_.predicates().everyone();
    exited_ = values_.predicates().known({});
  }

  void run() {
    follow(0, function_.body.size());
    memory_.finish();
  }

  std::vector<finding> findings() { return ledger_.take(); }
  std::vector<source_location> redundant_barriers() const {
    std::vector<source_location> out;
    for (const std::uint32_t b : memory_.redundant()) out.push_back(ledger_.line_of(b));
    return out;
  }

 private:
  using opcode = ptx::opcode;
  static constexpr int most_iterations = 64;

  conditions& known() { return values_.predicates(); }

  void follow(std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const ptx::instruction& i = function_.body[n];
      if (i.op == opcode::if_)
        n = follow_branch(n);
      else if (i.op == opcode::loop)
        n = follow_loop(n);
      else
        follow_instruction(static_cast<std::uint32_t>(n), i);
    }
  }

  void follow_instruction(std::uint32_t n, const ptx::instruction& i) {
    const path way = way_;
    if (i.is_guarded()) {
      way_ = way.with(known(), {condition_of_guard(i), true, i.where});
    }
    if (!is_quiet_ && way_.may.any()) touch(n, i);
    if (i.op == opcode::assume)
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
    switch (i.op) {
      case opcode::ld:
        return access(n, i, i[1], true, false,
                      i.has(token::relaxed) || i.has(token::acquire) || i.has(token::volatile_));
      case opcode::st:
        return access(n, i, i[0], false, true,
                      i.has(token::relaxed) || i.has(token::release) || i.has(token::volatile_));
      case opcode::atom:
        return access(n, i, i[1], true, true, true);
      case opcode::red:
        return access(n, i, i[0], true, true, true);
      case opcode::ldmatrix:
        return access(n, i, i[1], true, false, false);
      case opcode::stmatrix:
        return access(n, i, i[0], false, true, false);
      case opcode::cp:
        return copy(n, i);
      case opcode::bar:
      case opcode::barrier:
        return i.has(token::warp) ? meet_in_warps(n, i) : meet_in_block(n, i);
      case opcode::shfl:
      case opcode::vote:
      case opcode::redux:
      case opcode::match:
        return ask_for_whole_warps(n, i,
                                   i.op == opcode::vote || i.op == opcode::redux ? 2
                                   : i.op == opcode::match                       ? 2
                                                                                 : 4);
      default:
        if (ptx::effect_of(i) == ptx::effect::synchronizes) memory_.doubt();
    }
  }

  void access(std::uint32_t n, const ptx::instruction& i, const ptx::operand& address, bool reads, bool writes,
              bool is_atomic) {
    using ptx::token;
    const bool is_shared = i.has(token::shared) || i.has(token::shared_cta);
    if ((!is_shared && !i.has(token::global)) || address.kind != ptx::operand_kind::address) return;
    const number element = ptx::width_bits(i.type()) / 8;
    use u{.instruction = n,
          .where = {is_shared, 0},
          .offset = values_.form_of(address),
          .bytes = element,
          .row_unit = element,
          .reads = reads,
          .writes = writes,
          .is_atomic = is_atomic,
          .is_block_atomic = i.has(token::cta),
          .way = way_};
    if (i.has(token::v2)) u.bytes *= 2;
    if (i.has(token::v4)) u.bytes *= 4;
    if (i.has(token::v8)) u.bytes *= 8;
    if (i.op == opcode::ldmatrix || i.op == opcode::stmatrix) {
      const std::size_t rows = i.has(token::x4) ? 32 : i.has(token::x2) ? 16 : 8;
      u.bytes = 16;
      threads with_address;
      for (std::size_t t = 0; t < values_.threads(); ++t) with_address[t] = t % 32 < rows;
      u.way.may &= with_address;
      u.way.must &= with_address;
    }
    memory_.touch(std::move(u));
  }

  void copy(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    if (i.has(token::commit_group) && !i.has(token::bulk)) return memory_.commit();
    if (i.has(token::wait_all)) return memory_.wait(0, true);
    if (i.has(token::wait_group) && !i.has(token::bulk))
      return memory_.wait(static_cast<std::uint32_t>(i[0].value), false);
    if (i.has(token::bulk) || !i.has(token::global)) return memory_.doubt();
    const number bytes = i[2].value;
    memory_.touch({.instruction = n,
                   .where = {false, 0},
                   .offset = values_.form_of(i[1]),
                   .bytes = bytes,
                   .reads = true,
                   .way = way_});
    memory_.touch({.instruction = n,
                   .where = {true, 0},
                   .offset = values_.form_of(i[0]),
                   .bytes = bytes,
                   .writes = true,
                   .way = way_},
                  true);
  }

  bool ask(std::uint32_t n, std::size_t group, const char* what, const char* fix) {
    ledger_.ask(question::barrier, n);
    const division d = divided(values_, way_, group);
    if (d.what == division::kind::none) return true;
    const bool is_refuted = d.what == division::kind::found;
    ledger_.answer_with(question::barrier, n, is_refuted ? answer::refuted : answer::unknown,
                        is_refuted ? "thread " + ledger_.thread_text(d.comes) + " comes to the " + what +
                                         " and thread " + ledger_.thread_text(d.stays) + " does not"
                                   : std::string("whether all threads come to the ") + what + " depends on data",
                        fix, {}, d.comes, 0, d.branch);
    return false;
  }

  void meet_in_block(std::uint32_t n, const ptx::instruction& i) {
    constexpr const char* fix = "move the barrier out of the branch, and let no thread leave before it";
    const bool is_named = i.operand_count > 1 || !i[0].is(ptx::operand_kind::integer) || i[0].value != 0;
    if (!is_named && !i.has(ptx::token::arrive)) {
      const bool is_met = ask(n, values_.threads(), "barrier", fix);
      if (is_met)
        memory_.barrier(n);
      else
        memory_.meet({way_.must}, false);
      return;
    }
    const bool is_exact = way_.must == way_.may;
    const bool is_counted = i.operand_count > 1 && i[1].is(ptx::operand_kind::integer);
    const auto come = static_cast<std::int64_t>(way_.may.count());
    ledger_.ask(question::barrier, n);
    if (is_exact && is_counted && !i.has(ptx::token::arrive) && come > i[1].value)
      ledger_.answer_with(question::barrier, n, answer::refuted,
                          std::to_string(come) + " threads come to a barrier of " + std::to_string(i[1].value),
                          "give the barrier the number of threads that come to it");
    const bool is_met = is_exact && is_counted && !i.has(ptx::token::arrive) && come == i[1].value;
    memory_.meet({way_.must}, is_met);
  }

  void meet_in_warps(std::uint32_t n, const ptx::instruction& i) {
    const bool are_all = i[0].is(ptx::operand_kind::integer) && static_cast<std::uint32_t>(i[0].value) == 0xffffffff;
    if (are_all) ask(n, 32, "barrier of its warp", "call it with all lanes of the warp");
    memory_.meet({way_.must, true}, are_all);
  }

  void ask_for_whole_warps(std::uint32_t n, const ptx::instruction& i, std::size_t mask) {
    if (mask >= i.operand_count) mask = i.operand_count - 1u;
    if (i.has(ptx::token::sync) && i[mask].is(ptx::operand_kind::integer) &&
        static_cast<std::uint32_t>(i[mask].value) == 0xffffffff)
      ask(n, 32, "exchange of its warp", "call it with all lanes of the warp");
  }

  // Threads on this way are gone for good.
  void leave(ptx::location where) {
    std::uint32_t here = known().known(known().everyone());
    for (const literal& l : *way_.literals)
      here = known().both(here, l.holds ? l.condition : known().inverse(l.condition));
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
    const standing at_first = memory_.now();

    way_ = before.with(known(), {choice, true, where});
    if (way_.may.any()) follow(begin + 1, middle);
    const auto then = hold(variables);
    const standing after_then = memory_.now();
    put_back(variables, held);
    go_on(before, exited_before);
    if (is_uniform) memory_.now() = at_first;
    way_ = way_.with(known(), {choice, false, where});
    if (has_else && way_.may.any()) follow(middle + 1, end);

    if (is_uniform) {
      const literal yes{choice, true, where}, no{choice, false, where};
      if (known()[choice].what == condition::kind::known && known()[choice].must.any())
        memory_.now() = after_then;
      else if (known()[choice].what != condition::kind::known)
        join(after_then, &yes, &no);
    }
    for (std::size_t k = 0; k < variables.size(); ++k)
      values_.set(variables[k], values_.blend(choice, then[k], values_[variables[k]]));
    go_on(before, exited_before);
    return end;
  }

  // What stands after one of two ways; `now` is what stands after the second.
  void join(const standing& first, const literal* first_only, const literal* second_only) {
    standing& now = memory_.now();
    now.uses = memory::joined(first.uses, now.uses, first_only, second_only);
    if (first.barrier != now.barrier && !first.behind.empty() && !now.behind.empty()) memory_.need(first.barrier);
    if (now.behind.empty()) now.barrier = first.barrier;
    now.behind = memory::joined(first.behind, now.behind);
    now.groups = std::max(now.groups, first.groups);
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
          way_ = way_.with(known(), {again, true, function_.body[end].where});
          follow_some_iterations(begin, end, variables);
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
    const bool was_loose = is_loose_;
    is_loose_ = is_loose_ || !shape.has_barrier;
    values_.be_loose(is_loose_);
    const auto entry = hold(variables);
    const int period = shape.has_barrier ? shape.period : 1;
    const std::uint32_t turn = values_.unknowns().make(
        {.shared = sharing::block, .low = 0, .high = number{1} << 32, .is_iteration = true, .is_loose = is_loose_});
    std::vector<bool> is_shared;
    for (const std::uint32_t reg : shape.others) is_shared.push_back(values_.is_uniform(values_[reg]));
    std::uint32_t again = 0;
    for (bool is_settled = false; !is_settled;) {
      start_iterations(shape, turn, period, variables, entry, is_shared);
      again = rehearse(begin, end);
      is_settled = true;
      for (std::size_t k = 0; k < shape.others.size(); ++k)
        if (is_shared[k] && !values_.is_uniform(values_[shape.others[k]])) is_shared[k] = false, is_settled = false;
    }
    const path before = way_;
    start_iterations(shape, turn, period, variables, entry, is_shared);
    came_again(again, turn, period, function_.body[end].where);
    standing left;
    for (int iteration = 0; iteration <= period; ++iteration) {
      follow(begin + 1, end);
      again = values_.condition_of(function_.body[end][0]);
      const literal done{again, false, function_.body[end].where};
      if (iteration > 0)
        std::swap(left, memory_.now()), join_exit(left, done);
      else
        left = with_exit(memory_.now(), done);
      if (iteration < period) {
        way_ = way_.with(known(), {again, true, function_.body[end].where});
        if (way_.may.none()) break;
      }
    }
    is_loose_ = was_loose;
    values_.be_loose(is_loose_);
    memory_.now() = std::move(left);
    finish_iterations(shape, before, again, entry, variables);
  }

  // The iteration before had the same condition to go on, one step earlier.
  void came_again(std::uint32_t again, std::uint32_t turn, int period, ptx::location where) {
    const condition& c = known()[again];
    if (c.what != condition::kind::at_most) return;
    number step = 0;
    for (const term& t : c.left.terms)
      if (t.symbol == turn) step = t.factor / period;
    if (step == 0) return;
    const std::uint32_t earlier = known().at_most(add(c.left, constant(step), -1));
    way_ = way_.with(known(), {earlier, true, where});
  }

  static standing with_exit(standing s, const literal& done) {
    for (live_use& l : s.uses) l.since.push_back(done);
    return s;
  }

  // `memory_.now()` is what earlier exits left; `last` stands after the last iteration that was followed, and stays
  // current.
  void join_exit(standing& last, const literal& done) {
    standing exits = memory_.now();
    memory_.now() = last;
    const standing mine = with_exit(last, done);
    exits.uses = memory::joined(exits.uses, mine.uses);
    if (exits.barrier != mine.barrier && !exits.behind.empty() && !mine.behind.empty()) memory_.need(exits.barrier);
    exits.behind = memory::joined(exits.behind, mine.behind);
    exits.barrier = mine.barrier;
    exits.groups = std::max(exits.groups, mine.groups);
    last = std::move(exits);
  }

  void start_iterations(const loop_shape& shape, std::uint32_t turn, int period,
                        const std::vector<std::uint32_t>& variables, const std::vector<value>& entry,
                        const std::vector<bool>& is_shared) {
    put_back(variables, entry);
    for (const stepped& c : shape.counters) {
      const form start = values_.form_of(ptx::operand::reg(c.reg));
      const auto grown = values_.unknowns().product(values_.form_of(c.step), single(turn, period));
      values_.set(c.reg, grown ? values_.integer(add(start, *grown)) : values::data(false));
    }
    for (std::size_t k = 0; k < shape.others.size(); ++k) values_.set(shape.others[k], values::data(is_shared[k]));
  }

  void finish_iterations(const loop_shape& shape, const path& before, std::uint32_t again,
                         const std::vector<value>& entry, const std::vector<std::uint32_t>& variables) {
    const bool is_uniform = known()[again].is_uniform && before.must == before.may;
    const auto after = hold(shape.others);
    put_back(variables, entry);
    const form turns = values_.fresh(is_uniform, 1);
    for (const stepped& c : shape.counters) {
      const auto grown = values_.unknowns().product(values_.form_of(c.step), turns);
      values_.set(
          c.reg, grown ? values_.integer(add(values_.form_of(ptx::operand::reg(c.reg)), *grown)) : values::data(false));
    }
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
};

}  // namespace tg::proof
