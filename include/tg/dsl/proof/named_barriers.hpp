// Barriers with a number: who comes to which, and whether those that wait are ever enough.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/finding.hpp>

namespace tg::proof {

/// Threads come to a barrier.
struct coming {
  std::uint32_t instruction = 0;
  int id = 0;     // 0: that of the whole block; below 0: not known
  int count = 0;  // of threads that it waits for
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
/// arrival left over. Refuted is one that threads come to, when all that could ever come are too few, or when that
/// exact sequence leaves threads waiting.
class named_barriers {
 public:
  struct judgement {
    answer what = answer::unknown;
    std::string fact = {};
  };

  void come(coming c) { all_.push_back(std::move(c)); }

  /// The same threads wait each time, and it waits for as many.
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
    const std::map<std::uint32_t, std::size_t> stuck = run();
    const bool is_exact = std::all_of(all_.begin(), all_.end(), [](const coming& c) {
      return c.id >= 0 && c.is_certain && c.must == c.may;
    });
    for (const coming& c : all_) {
      if (c.id == 0) continue;
      judgement one;
      if (is_simple(c.id) || (is_exact && stuck.empty())) {
        one.what = answer::proved;
      } else if (const auto at = stuck.find(c.instruction); is_exact && at != stuck.end()) {
        one = {answer::refuted, std::to_string(at->second) + " threads come to a barrier of " +
                                    std::to_string(c.count) + " and wait for ever"};
      } else if (is_never_enough(c)) {
        one = {answer::refuted, "at most " + std::to_string(everyone_at(c.id).count()) +
                                    " threads come to a barrier of " + std::to_string(c.count)};
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

  // Lets every thread of `must` come to its barriers in turn. Returns: where threads stay, and how many have come there;
  // nothing if all get through and no arrival is left.
  std::map<std::uint32_t, std::size_t> run() const {
    constexpr std::size_t most = threads{}.size();
    std::vector<std::size_t> next(most, 0);
    std::vector<bool> is_waiting(most, false);
    struct state {
      std::size_t come = 0;
      std::vector<std::size_t> waiting = {};
      std::uint32_t instruction = 0;
    };
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
        ++here.come;
        here.instruction = c.instruction;
        if (!c.is_arrival) is_waiting[t] = true, here.waiting.push_back(t);
        if (here.come < static_cast<std::size_t>(c.count)) continue;
        for (const std::size_t w : here.waiting) is_waiting[w] = false;
        here = {};
      }
    }
    std::map<std::uint32_t, std::size_t> out;
    for (const auto& [id, s] : at)
      if (s.come > 0) out[s.instruction] = s.come;
    return out;
  }

  std::vector<coming> all_;
};

}  // namespace tg::proof
