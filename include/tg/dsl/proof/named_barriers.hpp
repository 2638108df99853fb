// Barriers with a number: who comes to which, and whether those that wait are ever enough.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/finding.hpp>

namespace tg::proof {

/// Threads come to a barrier.
struct coming {
  std::uint32_t instruction = 0;
  int id = 0;               // 0: that of the whole block; below 0: not known
  int count = 0;            // of threads that it waits for
  bool is_arrival = false;  // they do not wait
  threads must = {};
  threads may = {};
  bool is_certain = false;       // those of `must` come exactly once here, in every launch
  bool is_sure_to_come = false;  // an example shows that some thread comes
};

/// The barriers of one kernel, in the order of its text.
///
/// Proved is a barrier in two cases. Either every instruction that names it is a wait of the same threads, as many as it
/// waits for: all of them stand in the same order in the text, each phase has exactly these threads, and threads that
/// wait for each other at several barriers meet at the first one in that order. Or all that happens at barriers is
/// certain, and letting every thread come to its barriers one after another ends with all threads through and no
/// arrival left over, where every order of the threads gives the same phases: whoever comes to phase n + 1 of a barrier
/// knows that phase n is over, because it waited in it, or waited later for somebody who knew. Threads that only arrive
/// know nothing, so two arrivals of one warp with no wait between them may end one phase together. By induction over the
/// phases, nobody can come to another phase than in the order that was tried, so all get through in every order.
/// Refuted is a barrier that threads come to, when all that could ever come are too few, or when that exact sequence
/// leaves threads waiting. Arrivals that are left over when all have ended keep nobody waiting: neither proved nor refuted.
class named_barriers {
 public:
  struct judgement {
    answer what = answer::unknown;
    std::string fact = {};
  };

  void come(coming c) { all_.push_back(std::move(c)); }

  /// Whether one set of threads waits at barrier `id` each time, and the barrier waits for as many.
  bool is_simple(int id) const {
    if (id < 0) return false;
    const coming* first = nullptr;
    for (const coming& c : all_) {
      if (c.id < 0) return false;
      if (c.id != id) continue;
      if (first == nullptr) first = &c;
      if (c.is_arrival || c.must != c.may || c.may != first->may || static_cast<std::size_t>(c.count) != c.may.count())
        return false;
    }
    return first != nullptr;
  }

  /// The answer for each instruction with a number.
  std::map<std::uint32_t, judgement> judge() const {
    std::map<std::uint32_t, judgement> out;
    std::set<int> ids;
    for (const coming& c : all_)
      if (c.id != 0) ids.insert(c.id);
    if (ids.empty()) return out;
    const trial tried = run();
    const std::map<std::uint32_t, std::size_t>& stuck = tried.stuck;
    const bool is_exact =
        std::all_of(all_.begin(), all_.end(), [](const coming& c) { return c.id >= 0 && c.is_certain && c.must == c.may; });
    for (const coming& c : all_) {
      if (c.id == 0) continue;
      judgement one;
      if (is_simple(c.id) || (is_exact && tried.is_over && tried.is_only_order)) {
        one.what = answer::proved;
      } else if (const auto at = stuck.find(c.instruction); is_exact && at != stuck.end()) {
        one = {answer::refuted,
               std::to_string(at->second) + " threads come to a barrier of " + std::to_string(c.count) + " and wait for ever"};
      } else if (is_never_enough(c)) {
        one = {answer::refuted, "at most " + std::to_string(everyone_at(c.id).count()) + " threads come to a barrier of " +
                                    std::to_string(c.count)};
      } else {
        one.fact = "whether as many threads come to the barrier as it waits for is not known";
      }
      const auto [at, is_new] = out.try_emplace(c.instruction, one);
      const auto rank = [](answer a) { return a == answer::proved ? 0 : a == answer::unknown ? 1 : 2; };
      if (!is_new && rank(one.what) > rank(at->second.what)) at->second = one;
    }
    return out;
  }

 private:
  threads everyone_at(int id) const {
    threads out;
    for (const coming& c : all_)
      if (c.id == id) out |= c.may;
    return out;
  }

  // A thread that waits does not come again, so that without arrivals no more than `everyone_at` can be waiting.
  bool is_never_enough(const coming& one) const {
    if (one.is_arrival || !one.is_sure_to_come || one.id < 0) return false;
    for (const coming& c : all_)
      if (c.id < 0 || (c.id == one.id && (c.is_arrival || c.count != one.count))) return false;
    return everyone_at(one.id).count() < static_cast<std::size_t>(one.count);
  }

  // What one order of the threads ends with.
  struct trial {
    std::map<std::uint32_t, std::size_t> stuck = {};  // where threads wait for ever, and how many have come there
    bool is_over = true;                              // no thread waits, and no arrival is left over
    bool is_only_order = true;  // any other order gives the same phases, and all threads of a phase wait for one count
  };

  // Lets every thread of `must` come to its barriers in turn.
  trial run() const {
    using known_phases = std::map<int, std::size_t>;  // of each barrier: how many are known to be over
    constexpr std::size_t most = threads{}.size();
    dynamic_array<std::size_t> next(most, 0);
    dynamic_array<bool> is_waiting(most, false);
    dynamic_array<known_phases> known(most);
    struct state {
      std::size_t phase = 0;
      std::size_t come = 0;
      int count = 0;
      dynamic_array<std::size_t> waiting = {};
      known_phases known = {};  // by those that have come
      std::uint32_t instruction = 0;
    };
    const auto join = [](known_phases& to, const known_phases& from) {
      for (const auto& [id, phases] : from) to[id] = std::max(to[id], phases);
    };
    trial out;
    std::map<int, state> at;
    for (bool has_moved = true; has_moved;) {
      has_moved = false;
      for (std::size_t t = 0; t < most; ++t) {
        if (is_waiting[t]) continue;
        while (next[t] < all_.size() && !all_[next[t]].must[t]) ++next[t];
        if (next[t] == all_.size()) continue;
        const coming& c = all_[next[t]++];
        has_moved = true;
        state& here = at[c.id];
        if (known[t][c.id] != here.phase || (here.come > 0 && here.count != c.count)) out.is_only_order = false;
        ++here.come;
        here.count = c.count;
        join(here.known, known[t]);
        if (!c.is_arrival) is_waiting[t] = true, here.waiting.push_back(t), here.instruction = c.instruction;
        if (here.come < static_cast<std::size_t>(c.count)) continue;
        here.known[c.id] = here.phase + 1;
        for (const std::size_t w : here.waiting) is_waiting[w] = false, join(known[w], here.known);
        here = {.phase = here.phase + 1};
      }
    }
    for (const auto& [id, s] : at) {
      out.is_over = out.is_over && s.come == 0;
      if (!s.waiting.empty()) out.stuck[s.instruction] = s.come;
    }
    return out;
  }

  dynamic_array<coming> all_;
};

}  // namespace tg::proof
