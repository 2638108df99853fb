// The memory of a kernel that is proved: what has been touched since the last barrier, and what may touch it too.
//
// Every access is compared with all that may run at the same time: those since the last barrier that all threads met,
// asynchronous copies that are not waited for, and at the end those of other blocks. Blocks are compared along all three
// axes. Along an axis that the kernel never looks at, it may be meant for one block; what is proved for one block only
// says so. Acquire and release, fences and other waits may order what is not followed here: after one, an encounter of
// the accesses around it is unknown, never refuted.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/ascending.hpp>
#include <tg/dsl/proof/async_uses.hpp>
#include <tg/dsl/proof/between_blocks.hpp>
#include <tg/dsl/proof/drawn_numbers.hpp>
#include <tg/dsl/proof/extents.hpp>
#include <tg/dsl/proof/initialized.hpp>
#include <tg/dsl/proof/ledger.hpp>
#include <tg/dsl/proof/needed_barriers.hpp>
#include <tg/dsl/proof/proxy_writes.hpp>
#include <tg/dsl/proof/standing.hpp>
#include <tg/dsl/proof/tile_words.hpp>
#include <tg/dsl/proof/tiles.hpp>
#include <tg/dsl/proof/values.hpp>

namespace tg::proof {

/// Follows accesses and what orders them.
class memory {
 public:
  /// `is_read[axis]`: the kernel looks at the blocks along it, so it is meant for many.
  memory(values& v, ledger& l, const ptx::module& m, const dynamic_array<parameter_fact>& parameters,
         const fixed_array<bool, 3>& is_read)
      : values_(v),
        ledger_(l),
        tiles_(m),
        parameters_(parameters),
        compare_(v.unknowns(), v.predicates(), v.assumes_no_overflow()),
        search_(v.unknowns(), v.predicates()),
        draws_(v, compare_, is_read),
        is_read_(is_read),
        proxy_(m.functions[0]) {
    v.know(tiles_);
  }

  standing& now() { return now_; }

  /// One access. `u.offset` is the address. `ends_by`: who tells that it is over, where it goes on behind its instruction.
  /// Returns: whether it is followed.
  bool touch(use u, completion ends_by = completion::none, const mbarrier_phase_at& ends_at = {}) {
    const auto found = values_.object_of(u.offset);
    const bool is_shared = u.where.is_shared;
    const auto complain = [&](const char* what) {
      ledger_.answer_with(is_shared ? question::shared_race : question::global_race, u.instruction, answer::unknown, what,
                          "index a view or a tile");
      has_lost_ = true;
      return false;
    };
    if (!found) return complain("the address comes from data");
    u.where = *found;
    if (u.where.is_shared) u.offset = values_.as_number(u.offset, 32, true);
    else if (u.has_rows || has_rows(u.where.id)) u.row_unit = parameters_[u.where.id].element_bytes;
    if (u.offset.is_broken) return complain("the address is too large to be followed");
    lay_out(u, values_.unknowns());
    const auto id = static_cast<std::uint32_t>(uses_.size());
    uses_.push_back(std::move(u));
    check_extents(values_, ledger_, tiles_, parameters_, uses_[id]);
    if (uses_[id].reads && values_.unknowns().shared(uses_[id].offset) <= sharing::block) ledger_.read_by_all(uses_[id].where);
    if (uses_[id].where.is_shared) {
      ledger_.ask(question::shared_race, uses_[id].instruction, uses_[id].where);
      if (written_tile* const t = tile_of(uses_[id].where)) {
        if (uses_[id].reads) check_initialized(uses_[id], *t);
        if (uses_[id].writes) t->write(uses_, id);
      }
    } else if (uses_[id].row_unit != 0) {
      ledger_.ask(question::global_race, uses_[id].instruction, uses_[id].where).assumed.columns_in_rows = true;
    }
    meet_others(uses_[id]);
    if (uses_[id].writes && proxy_.follows(is_shared) && ends_by == completion::none) proxy_.add(id);
    now_.uses.push_back({.use = id,
                         .is_ahead = (uses_[id].way.may & ahead_).any(),
                         .is_pending = ends_by != completion::none,
                         .ends_by = ends_by,
                         .ends_at = ends_at});
    return true;
  }

  /// The last access leaves a number in a tile, which is the same in all threads that leave it.
  void leave(form number) { words_.leave(uses_.size() - 1, std::move(number)); }
  /// The number that the last access finds in a tile, if it is known.
  std::optional<form> found() const { return has_lost_ ? std::nullopt : words_.found(uses_, now_); }

  /// The last access counts up along `axis` (-1: not known). Returns: the number of this block, if it has one of its own.
  std::optional<form> draw(int axis, bool is_ordering) { return draws_.add(uses_, now_, axis, is_ordering); }
  /// The numbers that blocks draw.
  drawn_numbers& draws() { return draws_; }
  const drawn_numbers& draws() const { return draws_; }
  /// The last access has found the number in a buffer.
  void find(std::uint32_t symbol, bool is_signed) { arrays_.find(uses_.back(), symbol, is_signed); }
  /// Numbers that blocks find in arrays.
  ascending& arrays() { return arrays_; }
  /// The last access makes an mbarrier, or ends its life.
  void be_setup() {
    if (!now_.uses.empty()) now_.uses.back().is_setup = true;
  }

  /// fence.proxy.async by the threads of a way.
  void fence_async_proxy(const path& way, fenced_memory where) { proxy_.fence(uses_, way, where); }
  /// The last access reads through the async proxy: what threads wrote there is behind a fence.
  void see_through_proxy() {
    if (now_.uses.empty()) return;
    const use& b = uses_[now_.uses.back().use];
    ledger_.ask(question::async_copy, b.instruction, b.where);
    for (const proxy_write& w : proxy_.all()) {
      const use& a = uses_[w.use];
      if (a.where != b.where || w.barriers.are_passed(b.way)) continue;
      if (!ledger_.is_open(question::async_copy, b.instruction, answer::refuted)) return;
      const bool seeks = !w.is_maybe_met && !b.has_more && ledger_.seeks(question::async_copy, b.instruction);
      const auto is_ordered = [&](std::size_t s, std::size_t t) { return w.is_ordered(s, t); };
      if (const encounter e = compare_.in_block(a, b, {}, true, is_ordered, seeks); e.what != encounter::kind::apart)
        ledger_.meet(question::async_copy, a, b, e, false, proxy_writes::advice(b.where.is_shared));
    }
  }

  /// Whether an address is in a tile that begins at a multiple of `bytes`.
  bool is_tile_aligned(form address, number bytes) const {
    const auto found = values_.object_of(address);
    return found && found->is_shared && tiles_.is_aligned(found->id, bytes);
  }
  /// What is known of the function's parameters.
  const dynamic_array<parameter_fact>& parameters() const { return parameters_; }

  /// All threads of the block have met at this instruction, by this way; `is_sure`: in every launch.
  void barrier(std::uint32_t instruction, const path& way = {}, bool is_sure = true) {
    if (hands_on_) barriers_.need(instruction);
    else barriers_.add(instruction);
    proxy_.meet_all(way, is_sure);
    if (is_sure) ahead_ = {};
    dynamic_array<live_use> past = std::exchange(now_.uses, {});
    for (const live_use& l : past)
      if (l.is_pending) now_.uses.push_back(l), now_.uses.back().is_behind = true;
    if (past.empty()) return;
    now_.behind = std::move(past);
    now_.barrier = instruction;
  }

  /// Some threads have met.
  void meet(const meeting& m, bool is_certain) {
    proxy_.meet(m, is_certain);
    for (live_use& l : now_.uses) {
      if (is_certain) l.meetings.push_back(m.is_passed_by(uses_[l.use].way) ? meeting::of_warps() : m);
      else l.is_maybe_ordered = true;
    }
  }

  /// Something has happened that may order what came before with what comes. `own_variable`: of the mbarrier that it is.
  /// `hands_on`: with other blocks too, for all threads that a barrier joins to this one, so that none around it is redundant.
  void doubt(std::uint32_t own_variable = mbarrier_phase_at::nowhere, bool hands_on = false) {
    if (hands_on) barriers_.need(now_.barrier), hands_on_ = true;
    has_doubts_ = true;
    proxy_.doubt();
    proof::doubt(now_.uses, uses_, own_variable);
  }

  /// The threads of a way have waited for what others do further down in the text. What they do from here on may be behind what
  /// threads do there that have not waited.
  void run_ahead(const path& way) { ahead_ |= way.may; }

  /// An instruction touches memory that is not known.
  void lose(std::uint32_t instruction, const char* what, question race = question::global_race) {
    ledger_.answer_with(race, instruction, answer::unknown, what, "index a view or a tile");
    has_lost_ = true;
  }
  /// Other blocks may write tiles of this one, before or behind what is followed.
  void be_lost() { has_lost_ = true; }

  /// The threads of a way make one more group of their copies.
  void commit(const path& way, group_of what) { commit_group(now_.uses, uses_, way, what); }
  /// They wait for groups of their copies. What cp.async has written is then a write of these threads.
  void wait(const path& way, const group_wait& w) {
    for (const std::uint32_t u : wait_for_groups(now_.uses, uses_, way, w))
      if (w.what == group_of::copies && uses_[u].where.is_shared && uses_[u].writes) proxy_.add(u);
  }
  /// They have waited for a phase of an mbarrier.
  void land(const path& way, const mbarrier_phase_at& at) { proof::land(now_.uses, uses_, way, at); }

  /// Compares the blocks of the grid with each other.
  void finish() {
    draws_.judge(uses_);
    if (!draws_.empty()) ledger_.assume_counters();
    if (!has_lost_) compare_.know(arrays_.spans(values_.unknowns(), uses_));
    between_blocks(uses_, compare_, draws_, ledger_).ask(is_read_, has_doubts_);
  }

  const needed_barriers& barriers() const { return barriers_; }

  /// The barrier keeps something apart that is not followed.
  void need(std::uint32_t barrier) { barriers_.need(barrier); }

  /// Whether an example shows that some thread comes by this way.
  bool comes_any(const path& way) const { return search_.comes_any(way); }

 private:
  written_tile* tile_of(const object& o) {
    return o.is_shared ? &written_.try_emplace(o.id, tiles_.bytes(o.id)).first->second : nullptr;
  }

  static bool can_race(const use& a, const use& b) {
    return a.where == b.where && (a.writes || b.writes) && !(a.is_atomic && b.is_atomic);
  }

  // Whether something that is not followed may order a use with `b`.
  bool may_be_behind(const live_use& l, const use& b) const {
    return l.is_maybe_ordered || (l.is_ahead && (b.way.may & ~ahead_).any());
  }

  // Whether comparing `b` with one more use can make the answer worse. Without an example it is unknown at worst.
  bool can_worsen(question q, const use& b, bool seeks_example) const {
    return ledger_.is_open(q, b.instruction, seeks_example ? answer::refuted : answer::unknown);
  }

  void meet_others(const use& b) {
    const question race = b.where.is_shared ? question::shared_race : question::global_race;
    if (b.writes && !b.is_atomic) {
      const encounter e = compare_.in_block(b, b, {}, false, unordered{}, ledger_.seeks(race, b.instruction));
      if (e.what != encounter::kind::apart) ledger_.meet(race, b, b, e, false, "let one thread write, or use atomics");
    }
    for (const live_use& l : now_.uses) {
      const use& a = uses_[l.use];
      if (!can_race(a, b)) continue;
      if (l.is_pending) {
        meet_copy(a, b, l);
        continue;
      }
      const bool seeks_example = !may_be_behind(l, b) && !a.has_more && !b.has_more && fruitless_ < ledger::most_fruitless &&
                                 ledger_.seeks(race, b.instruction);
      if (l.is_behind || !can_worsen(race, b, seeks_example)) continue;
      encounter e = compare_.in_block(a, b, l.since, false, l.ordered_before(b.way), seeks_example);
      if (e.what == encounter::kind::apart && (a.is_of_warp || b.is_of_warp))
        e = compare_.in_block(a, b, l.since, true, l.ordered_before(b.way), false);
      if (e.what == encounter::kind::apart) continue;
      fruitless_ += !b.where.is_shared && seeks_example && e.what == encounter::kind::unknown;
      ledger_.meet(race, a, b, e, false, ledger_.advice_between(a, b));
    }
    if (barriers_.is_needed(now_.barrier)) return;
    for (const live_use& l : now_.behind)
      if (can_race(uses_[l.use], b) &&
          compare_.in_block(uses_[l.use], b, l.since, uses_[l.use].is_of_warp || b.is_of_warp, unordered{}, false).what !=
              encounter::kind::apart)
        return need(now_.barrier);
  }

  void meet_copy(const use& a, const use& b, const live_use& l) {
    ledger_.ask(question::async_copy, b.instruction, b.where);
    const bool seeks_example =
        !may_be_behind(l, b) && !a.has_more && !b.has_more && ledger_.seeks(question::async_copy, b.instruction);
    if (!can_worsen(question::async_copy, b, seeks_example)) return;
    encounter e = compare_.in_block(a, b, l.since, true, unordered{}, seeks_example && l.maybe_over.none());
    if (seeks_example && l.maybe_over.any() && e.what != encounter::kind::apart) {
      const auto may_be_over = [&](std::size_t s, std::size_t) { return l.maybe_over[s]; };
      const encounter sure = compare_.in_block(a, b, l.since, true, may_be_over, true);
      if (sure.what == encounter::kind::meets) e = sure;
    }
    if (e.what != encounter::kind::apart)
      ledger_.meet(question::async_copy, a, b, e, false,
                   l.ends_by == completion::products
                       ? "wait for the product, then let the threads meet, before its operands are written"
                       : "wait for the copy, then let the threads meet, before its memory is used");
  }

  bool has_rows(std::uint32_t parameter) const {
    return parameter + 1 < parameters_.size() && parameters_[parameter + 1].what == parameter_fact::kind::row_stride;
  }

  // Whether atomics of other threads, which nothing orders with `u`, touch what it reads. They do not race with it.
  bool meets_atomics(const use& u) {
    return std::any_of(now_.uses.begin(), now_.uses.end(), [&](const live_use& l) {
      const use& a = uses_[l.use];
      if (a.where != u.where || !a.writes || !a.is_atomic) return false;
      const auto is_ordered = [&](std::size_t s, std::size_t t) { return l.is_ordered(s, t); };
      return compare_.in_block(a, u, l.since, false, is_ordered, false).what != encounter::kind::apart;
    });
  }

  // What is read has been written by somebody before: earlier in the text, by this thread or by one that a barrier orders.
  // A plain write that nothing orders with the read is a race, and told as one; an atomic is none, and may come later.
  void check_initialized(const use& u, const written_tile& t) {
    ledger_.ask(question::initialized, u.instruction, u.where);
    const auto read = [&](const written_bytes& of) { return of.read(u, uses_, values_.predicates(), values_.unknowns()); };
    using kind = written_bytes::state::kind;
    auto state = read(t.all);
    if (state.what == kind::written) {
      if (!u.is_atomic || !t.plain || read(*t.plain).what == kind::written || !meets_atomics(u)) return;
      ledger_.answer_with(question::initialized, u.instruction, answer::unknown,
                          "what is read may be written only later, by an atomic of another thread",
                          "write every element, and let the threads meet before the first atomic", u.where, state.thread,
                          state.byte);
      return;
    }
    const bool is_refuted = state.what == kind::unwritten && !has_lost_ && !u.has_more && (u.way.may & ahead_).none() &&
                            ledger_.seeks(question::initialized, u.instruction) && reads_inside(u, t.all, state);
    ledger_.answer_with(question::initialized, u.instruction, is_refuted ? answer::refuted : answer::unknown,
                        is_refuted ? "thread " + ledger_.thread_text(state.thread) + " reads byte " +
                                         std::to_string(state.byte) + " of the tile, which nobody has written"
                                   : "whether all bytes that are read have been written depends on the launch or on data",
                        "write every element that is read, zeros at the edges", u.where, state.thread, state.byte);
  }

  // Whether an example comes to what nobody has written, inside the tile; says which in `state`.
  bool reads_inside(const use& u, const written_bytes& tile, written_bytes::state& state) const {
    if (u.offset.is_exact()) return search_.comes(u.way, state.thread);
    const auto found = search_.finds_inside(u, tile.size());
    if (found) state.thread = found->thread, state.byte = found->start;
    return found.has_value();
  }

  values& values_;
  ledger& ledger_;
  tiles tiles_;
  const dynamic_array<parameter_fact>& parameters_;
  comparison compare_;
  encounter_search search_;
  drawn_numbers draws_;
  fixed_array<bool, 3> is_read_;
  dynamic_array<use> uses_;
  tile_words words_;
  ascending arrays_;
  std::map<std::uint32_t, written_tile> written_;
  standing now_;
  proxy_writes proxy_;
  threads ahead_ = {};  // have waited for what stands further down
  needed_barriers barriers_;
  int fruitless_ = 0;
  bool has_doubts_ = false;
  bool hands_on_ = false;
  bool has_lost_ = false;  // an access to an object that is not known
};

}  // namespace tg::proof
