// The accesses to one word, or one byte, that a later access may race with, in their order. One is forgotten when another that
// happened after it would race with all that it would.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/check/observed_atomics.hpp>

namespace tg::emulator::check {

class word_accesses {
 public:
  static constexpr std::size_t most = 48;  // records behind the first

  /// Adds an access of the lanes in `now`, one of which knows `known`. Calls `report(earlier, conflict)` for each record that
  /// it conflicts with. `is_strict`: plain writes of one value race.
  template <class Report> void add(const access_record& now, const vector_clock* known, bool is_strict, Report report) {
    bool is_kept = false;
    observed_atomics observed(now, known);
    const bool is_sought = observed.is_sought();
    if (is_sought) each([&](const access_record& r) { observed.look(r); });
    std::size_t number = 0;  // of the record
    const access_record* const last = more_ != nullptr && !more_->empty() ? &more_->back() : &first_;
    // Nothing orders such an access behind one of another warp. Atomics on shared memory between two barriers are like that.
    const bool knows_nothing = known == nullptr && !is_sought;
    const auto keeps = [&](access_record& r) {
      ++number;
      if (knows_nothing && r.warp != now.warp) {
        if (is_strong(r.kind) && is_strong(now.kind) && r.warp.block == now.warp.block) return true;
        const conflict found = conflict_of(r, now, is_strict);
        if (found != conflict::none) report(r, found);
        return true;
      }
      const bool may_race = is_strict && now.kind == access_kind::write && r.lanes != now.lanes;
      if (r.warp == now.warp && r.epoch == now.epoch && r.operation == now.operation && r.kind == now.kind &&
          r.value == now.value && !may_race) {
        r.is_spread = r.is_spread || &r != last;
        r.lanes |= now.lanes;
        is_kept = true;
        return true;
      }
      std::uint32_t others = r.lanes;
      if (r.warp == now.warp && std::has_single_bit(now.lanes)) others &= ~now.lanes;
      if (is_sought) others &= ~observed.lanes_of(r, number);
      const bool is_ordered = others == 0 || (known != nullptr && known->covers(r.warp, others, r.epoch));
      const bool is_unseen = is_ordered && now.proxy != engine::none && !is_write(now.kind) && is_write(r.kind) &&
                             !r.warp.is_engine() && !known->covers(r.warp.beside(now.proxy), others, r.epoch);
      const conflict found = is_unseen ? conflict::other_proxy : is_ordered ? conflict::none : conflict_of(r, now, is_strict);
      if (found != conflict::none) {
        access_record racing = r;
        racing.lanes = others;
        report(racing, found);
      }
      const bool is_repeated = r.warp == now.warp && (r.lanes & ~now.lanes) == 0;
      return !(is_ordered || is_repeated) || !stands_for(now.kind, r.kind);
    };
    if (first_.lanes != 0 && !keeps(first_)) first_ = {};
    std::size_t count = 0;
    if (more_ != nullptr) {
      tg::erase_if(*more_, [&](access_record& r) { return !keeps(r); });
      // Records stay in the order of their accesses, and so do reports of several conflicts.
      if (first_.lanes == 0 && !more_->empty()) {
        first_ = more_->front();
        more_->erase(more_->begin());
      }
      count = more_->size();
    }
    if (is_kept) return;
    if (first_.lanes == 0) {
      first_ = now;
    } else if (count < most) {
      if (more_ == nullptr) more_ = std::make_unique<dynamic_array<access_record>>();
      more_->push_back(now);
    } else if (now.atomic_bytes != 0) {
      more_->back() = now;  // the last atomic has observed the others
    }
  }

  /// Each record, in the order of the accesses.
  template <class F> void each(F f) const {
    if (first_.lanes != 0) f(first_);
    if (more_ != nullptr) std::ranges::for_each(*more_, f);
  }
  /// The accesses with `f(record)` for each record.
  template <class F> word_accesses each_as(F f) const {
    word_accesses out;
    out.first_ = f(first_);
    if (more_ == nullptr) return out;
    out.more_ = std::make_unique<dynamic_array<access_record>>();
    for (const access_record& r : *more_) out.more_->push_back(f(r));
    return out;
  }
  bool is_empty() const { return first_.lanes == 0; }

 private:
  access_record first_;
  std::unique_ptr<dynamic_array<access_record>> more_;
};

}  // namespace tg::emulator::check
