// What instructions on mbarriers and copies of the async proxy are asked.
//
// An mbarrier is 8 bytes of a tile: making it is a plain write, all else an atomic, so that threads which use it before they
// met behind its initialisation are told of a race. What ends copies is followed where it is known (mbarriers.hpp,
// async_uses.hpp). Arrivals order nothing by themselves; waits may order what came before with what comes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/access.hpp>
#include <tg/dsl/proof/mbarrier_balance.hpp>
#include <tg/dsl/proof/mbarriers.hpp>
#include <tg/dsl/proof/memory.hpp>
#include <tg/dsl/proof/tensor_boxes.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/view_map.hpp>

namespace tg::proof {

/// Asks instructions that threads come to by one way, which lives as long as this.
class bulk_questions {
 public:
  bulk_questions(values& v, ledger& l, memory& m, const dynamic_array<ptx::view_map>& maps, const path& way)
      : values_(v), ledger_(l), memory_(m), way_(way), boxes_(v.code(), m.parameters(), maps) {}

  /// Instructions from here on are in a loop that is not followed turn by turn, or not.
  void be_repeated(bool is) { is_repeated_ = is; }

  /// What was known in front of a loop.
  struct turns {
    mbarriers::all_counts before;
    bool were_counted = false;
    std::size_t conditions = 0;
  };
  /// A loop begins of which only some turns are followed. `are_counted`: it has a barrier in each turn, so that what comes by
  /// the way of a turn, and by no branch in it, happens in each. Returns: what to end the loop with.
  turns begin_turns(bool are_counted) {
    return {mbarriers_.now(), std::exchange(are_turns_counted_, are_counted), conditions_of_turn_};
  }
  /// The first turn begins by the way on which the threads are now.
  void begin_turn() { conditions_of_turn_ = way_.literals->size(); }
  /// Turn `number` begins of those that stand for all later ones; the first `period` of them are followed by others like them.
  void begin_turn(int number, int period) {
    begin_turn();
    if (number == 0) period_begins_with_ = mbarriers_.now();
    if (number == period) mbarriers_.end_period(period_begins_with_);
  }
  void end_turns(const turns& loop) {
    mbarriers_.close(loop.before);
    are_turns_counted_ = loop.were_counted;
    conditions_of_turn_ = loop.conditions;
  }

  /// Nothing is told of phases from here on.
  void distrust() { mbarriers_.lose_all(); }
  /// Whether something was told of phases that did not hold to the end.
  bool were_misjudged() const { return mbarriers_.were_misjudged(); }

  /// A copy of the async proxy, or a step of its groups.
  void operator()(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    if (i.has(token::commit_group)) return memory_.commit(way_, group_of::bulk_copies);
    if (i.has(token::wait_group))
      return memory_.wait(
          way_,
          {.left = static_cast<std::uint32_t>(i[0].value), .what = group_of::bulk_copies, .only_reads = i.has(token::read)});
    if (i.has(token::prefetch)) return;
    if (i.has(token::mbarrier_complete_tx_bytes)) {
      if (reaches_other_blocks(i)) return lose(n, "what this copy writes in other blocks is not followed");
      return load(n, i);
    }
    if (i.has(token::bulk_group)) return store(n, i);
    lose(n, "what this copy touches is not followed");
  }

  /// An operation on an mbarrier but a wait in a loop of its own.
  void synchronize(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    const bool is_wait = i.has(token::test_wait) || i.has(token::try_wait);
    const bool is_arrival = i.has(token::arrive) || i.has(token::arrive_drop);
    if (i.has(token::pending_count)) return;
    if (i.has(token::shared_cluster)) return lose_barriers();
    const std::size_t k = is_wait || is_arrival ? 1 : 0;
    const bool is_setup = i.has(token::init) || i.has(token::inval);
    const mbarrier_phase_at at = touch(n, i[k], is_setup);
    if (is_wait) {
      memory_.doubt(at.variable);
      memory_.run_ahead(way_);
      lose_barrier(at);
      return memory_.land(way_, at);
    }
    if (!at.is_known()) return lose_barriers();
    if (i.has(token::init)) {
      mbarriers_.init(at, number_in(i[1]), is_certain());
      return balance_.init(at, number_in(i[1]), is_once());
    }
    const bool is_plain =
        i.has(token::arrive) && (i.operand_count == 2 || i.has(token::expect_tx)) && !i.has(token::noComplete);
    if (!is_plain) return lose_barrier(at);
    const number bytes = i.has(token::expect_tx) ? number_in(i[2]) : 0;
    mbarriers_.arrive(at, bytes, way_, is_certain());
    balance_.arrive(at, bytes, way_, is_once());
  }

  /// A loop that waits until a phase is over: `i` is its try_wait.
  void wait(std::uint32_t n, const ptx::instruction& i) {
    const mbarrier_phase_at at = touch(n, i[1], false);
    const number parity = i.has(ptx::token::parity) ? number_in(i[2]) : -1;
    if (!at.is_known()) {
      lose_barriers();
      memory_.land(way_, at);
    } else {
      balance_.wait(n, at, parity, way_, is_once());
      if (mbarriers_.passes_at_once(at, parity, way_, is_once())) return;
      memory_.land(way_, mbarriers_.wait(at, parity, way_, is_certain()));
    }
    if (!mbarriers_.has_ended(at, way_)) memory_.run_ahead(way_);
    memory_.doubt(at.variable);
  }
  /// Waits that do not end. Requires: all has been followed.
  void judge_waits() {
    for (const mbarrier_balance::fault& f : balance_.judge())
      if (ledger_.seeks(question::barrier, f.instruction))
        ledger_.answer_with(question::barrier, f.instruction, answer::refuted, f.fact,
                            "let each phase have the arrivals that the mbarrier was made for, and copy what is expected");
  }
  /// Something may happen to any barrier.
  void lose_barriers() {
    mbarriers_.lose_all();
    balance_.lose_all();
  }

  /// Tiles are touched, and nothing is known of where.
  void lose_tile(std::uint32_t n, const char* what) {
    memory_.lose(n, what, question::shared_race);
    for (const question q : {question::initialized, question::extents})
      ledger_.answer_with(q, n, answer::unknown, what, "index a tile of this block");
  }

  /// Whether a copy or an access to `shared::cluster` may be to another block.
  static bool reaches_other_blocks(const ptx::instruction& i) {
    using ptx::token;
    return !ptx::has_trait(i.op, ptx::trait::copies) || i.has(token::multicast_cluster) || i.has(token::shared_cta);
  }

  /// Whether the loop between `begin` and `end` does nothing but wait for a phase.
  static bool waits_for_phase(const ptx::function& f, std::size_t begin, std::size_t end) {
    if (end < begin + 2 || end > begin + 3) return false;
    const ptx::instruction &wait = f.body[begin + 1], &again = f.body[end];
    if (wait.op != ptx::opcode::mbarrier || !wait.has(ptx::token::try_wait) || wait.is_guarded() || !wait[0].is_reg())
      return false;
    if (end == begin + 2) return again[0].is_reg() && again[0].id == wait[0].id && again[0].negated;
    const ptx::instruction& inverse = f.body[begin + 2];
    return ptx::computes(inverse.op, ptx::calculation::bit_not) && inverse[0].is_reg() && inverse[1].is_reg() &&
           inverse[1].id == wait[0].id && !inverse[1].negated && again[0].is_reg() && again[0].id == inverse[0].id &&
           !again[0].negated;
  }

 private:
  // Whether it happens in each launch, or in each turn of the loop that is followed for all of its turns.
  bool is_certain() const {
    if (!is_repeated_) return way_.is_sure;
    const auto& all = *way_.literals;
    const auto is_doubtful = [&](const literal& l) { return values_.predicates()[l.condition].what != condition::kind::known; };
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(conditions_of_turn_);
    return are_turns_counted_ && std::none_of(first, all.end(), is_doubtful);
  }

  // Whether it happens once in each launch.
  bool is_once() const { return way_.is_sure && !is_repeated_; }

  // -1: it is not known, or not the same for all threads.
  number number_in(const ptx::operand& o) const {
    if (o.is(ptx::operand_kind::integer)) return o.value;
    if (!o.is_reg()) return -1;
    const form f = values_.form_of(o);
    return !f.is_broken && f.is_number() ? f.base : -1;
  }

  void lose(std::uint32_t n, const char* what) {
    memory_.doubt();
    memory_.lose(n, what);
    lose_tile(n, what);
    lose_barriers();
  }
  void lose_barrier(const mbarrier_phase_at& at) {
    if (!at.is_known()) return lose_barriers();
    mbarriers_.lose(at);
    balance_.lose(at);
  }

  // Where an mbarrier is that the threads of the way use.
  mbarrier_phase_at touch(std::uint32_t n, const ptx::operand& address, bool is_setup) {
    use u{.instruction = n,
          .where = {true, 0},
          .offset = values_.form_of(address),
          .bytes = 8,
          .reads = !is_setup,
          .writes = true,
          .is_atomic = !is_setup,
          .way = way_};
    const mbarrier_phase_at at = find(u.offset);
    memory_.touch(std::move(u));
    if (is_setup) memory_.be_setup();
    return at;
  }

  mbarrier_phase_at find(form address) {
    const auto found = values_.object_of(address);
    if (!found || !found->is_shared || address.is_broken || !address.is_number()) return {};
    return {.variable = found->id, .offset = address.base};
  }

  void load(std::uint32_t n, const ptx::instruction& i) {
    const bool is_tensor = i.has(ptx::token::tensor);
    const number bytes = is_tensor ? boxes_.bytes_at(i[1]) : number_in(i[2]);
    const mbarrier_phase_at at = mbarriers_.copy(find(values_.form_of(i[3])), bytes, way_, is_certain());
    if (at.is_known()) balance_.copy(at, bytes, way_, is_once());
    else lose_barriers();
    if (bytes < 0) return lose_tile(n, "how much of the tile this copy writes is not followed");
    if (!is_tensor) {
      use read{
          .instruction = n, .where = {false, 0}, .offset = values_.form_of(i[1]), .bytes = bytes, .reads = true, .way = way_};
      if (memory_.touch(std::move(read), completion::mbarrier, at)) memory_.see_through_proxy();
    }
    memory_.touch(
        {.instruction = n, .where = {true, 0}, .offset = values_.form_of(i[0]), .bytes = bytes, .writes = true, .way = way_},
        completion::mbarrier, at);
  }

  void store(std::uint32_t n, const ptx::instruction& i) {
    const bool is_tensor = i.has(ptx::token::tensor), reduces = i.has(ptx::token::reduce);
    const ptx::operand& from = i[is_tensor ? 2 : 1];
    const number bytes = is_tensor ? boxes_.bytes_at(i[0]) : number_in(i[2]);
    if (is_tensor) memory_.lose(n, "where in its array a tensor copy writes is not followed");
    if (bytes < 0) return lose_tile(n, "how much of the tile this copy reads is not followed");
    memory_.touch(
        {.instruction = n, .where = {true, 0}, .offset = values_.form_of(from), .bytes = bytes, .reads = true, .way = way_},
        completion::bulk_read);
    memory_.see_through_proxy();
    if (is_tensor) return;
    memory_.touch({.instruction = n,
                   .where = {false, 0},
                   .offset = values_.form_of(i[0]),
                   .bytes = bytes,
                   .reads = reduces,
                   .writes = true,
                   .is_atomic = reduces,
                   .way = way_},
                  completion::bulk_write);
  }

  values& values_;
  ledger& ledger_;
  memory& memory_;
  const path& way_;
  tensor_boxes boxes_;
  mbarriers mbarriers_;
  mbarrier_balance balance_;
  bool is_repeated_ = false;
  bool are_turns_counted_ = false;
  std::size_t conditions_of_turn_ = 0;  // under which the turn begins
  mbarriers::all_counts period_begins_with_;
};

}  // namespace tg::proof
