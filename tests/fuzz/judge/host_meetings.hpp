// Where threads of a random kernel wait for each other on the host: barriers, votes, exchanges between the lanes of a warp.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "host_memory.hpp"

namespace judge {

/// Lets threads wait, each on a stack of its own, and go on when they have met.
class host_meetings : protected host_memory {
 protected:
  using host_memory::host_memory;

  void resume(thread& t) {
    running_ = &t;
    scheduler_.go_to(*t.stack);
  }

  void wait(thread& t, waiting how, int line) {
    t.waits = how;
    t.line = line;
    t.stack->go_to(scheduler_);
  }

  // Lets go on who has met; false: nobody has.
  bool release() {
    bool any = false;
    if (std::all_of(threads_.begin(), threads_.end(), [&](const thread& t) { return t.waits == waiting::barrier; })) {
      for (const thread& t : threads_)
        if (!are_together(t, threads_[0])) return false;
      std::vector<thread*> all;
      for (thread& t : threads_) all.push_back(&t);
      if (threads_[0].collective != nullptr) vote(all);
      for (thread* t : all) ++t->interval;
      meet(all);
      any = true;
    }
    for (std::size_t first = 0; first < threads_.size(); first += 32) {
      std::vector<thread*> lanes;
      for (std::size_t t = first; t < std::min(first + 32, threads_.size()); ++t) lanes.push_back(&threads_[t]);
      if (!std::all_of(lanes.begin(), lanes.end(),
                       [&](const thread* t) { return t->waits == waiting::warp && are_together(*t, *lanes[0]); }))
        continue;
      if (lanes[0]->collective != nullptr) {
        exchange(lanes);
        for (thread* t : lanes) t->waits = waiting::nothing, t->collective = nullptr;
      } else {
        meet(lanes);
      }
      any = true;
    }
    for (int id = 1; id < 16; ++id) any |= release_named(id);
    return any;
  }

  // All threads of one phase wait for the same number of threads.
  void come_to(thread& t, const stmt& s) {
    t.barrier = s.index, t.threads = s.times;
    ++visits_[{s.line, t.id / 32}];
    const auto miss = [&](int other) { out_.missed.insert(out_.missed.end(), {s.line, other}); };
    for (const arrival& a : arrived_[s.index])
      if (a.threads != s.times) return miss(a.line);
    for (const thread& other : threads_)
      if (other.waits == waiting::named && other.barrier == s.index && other.threads != s.times) return miss(other.line);
  }

  // A named barrier counts whole warps; a warp that is not together when it comes to one is not defined.
  void refuse_parts_of_warps() const {
    for (const auto& [where, count] : visits_)
      if (count % std::min<std::size_t>(32, threads_.size() - where.second * 32) != 0)
        throw malformed("a part of a warp at a named barrier");
  }

  // As soon as enough warps have come, those go on and the barrier is free again. The last warp of a block counts whole.
  bool release_named(int id) {
    std::vector<arrival>& came = arrived_[id];
    if (!came.empty() && came.size() >= static_cast<std::size_t>(came[0].threads))
      came.erase(came.begin(), came.begin() + came[0].threads);  // those that arrive are enough
    std::size_t count = came.size();
    const auto counts = [&](const thread& t) { return &t == &threads_.back() ? 1 + (32 - threads_.size() % 32) % 32 : 1; };
    std::vector<thread*> here;
    for (thread& t : threads_) {
      if (t.waits != waiting::named || t.barrier != id) continue;
      here.push_back(&t);
      count += counts(t);
      if (count < static_cast<std::size_t>(t.threads)) continue;
      if (count > static_cast<std::size_t>(t.threads)) return false;
      meet(here, &came);
      came.clear();
      return true;
    }
    return false;
  }

  // What all have done is over for those that wait.
  void meet(const std::vector<thread*>& here, const std::vector<arrival>* came = nullptr) {
    if (broken_ == plant::barriers_separate_nothing) {
      for (thread* t : here) t->waits = waiting::nothing, t->collective = nullptr;
      return;
    }
    std::vector<std::uint32_t>* const joined = &out_.epochs.emplace_back(threads_.size(), 0);
    const auto join = [&](std::uint32_t who, std::uint32_t epoch, const std::vector<std::uint32_t>& seen) {
      for (std::size_t n = 0; n < seen.size(); ++n) (*joined)[n] = std::max((*joined)[n], seen[n]);
      (*joined)[who] = std::max((*joined)[who], epoch + 1);
    };
    if (here.size() == threads_.size())
      for (thread* t : here) (*joined)[t->id] = t->epoch + 1;
    else
      for (thread* t : here) join(t->id, t->epoch, *t->seen);
    if (came != nullptr)
      for (const arrival& a : *came) join(a.who->id, a.epoch, *a.seen);
    for (thread* t : here) {
      t->seen = joined;
      ++t->epoch;
      t->waits = waiting::nothing;
      t->collective = nullptr;
    }
  }

  void vote(const std::vector<thread*>& all) {
    const op what = all[0]->collective->what;
    bits count = 0;
    for (const thread* t : all) count += t->own;
    for (thread* t : all)
      t->result = what == op::block_count ? count : what == op::block_any ? count != 0 : count == all.size();
  }

  static void exchange(const std::vector<thread*>& lanes) {
    const auto count = static_cast<std::uint32_t>(lanes.size());
    bits ballot = 0;
    for (std::uint32_t l = 0; l < count; ++l) ballot |= (lanes[l]->own & 1) << l;
    for (std::uint32_t l = 0; l < count; ++l) {
      thread& t = *lanes[l];
      // shfl takes five bits of the lane or distance; a source outside keeps the own value.
      const auto n = static_cast<std::uint32_t>(t.argument & 31);
      const auto from = [&](std::uint32_t source, bool is_inside) { t.result = is_inside ? lanes[source]->own : t.own; };
      switch (t.collective->what) {
        case op::shuffle_idx: from(std::min(n, count - 1), n < count); break;
        case op::shuffle_up: from(l >= n ? l - n : 0, l >= n); break;
        case op::shuffle_down: from(std::min(l + n, count - 1), l + n < count); break;
        case op::shuffle_xor: from(std::min(l ^ n, count - 1), (l ^ n) < count); break;
        case op::vote_any: t.result = ballot != 0; break;
        case op::vote_all: t.result = ballot == (count == 32 ? 0xffffffffu : (bits{1} << count) - 1); break;
        default: t.result = ballot; break;
      }
    }
  }
};

}  // namespace judge
