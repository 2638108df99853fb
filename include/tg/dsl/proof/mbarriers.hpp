// Which phase of an mbarrier a copy counts at, and which one a wait waits for.
//
// Phases are counted for barriers of one arrival, all of whose arrivals one thread makes: then the k-th arrival ends phase k,
// once the bytes that it expects are there. Copies of that thread count at the phase of its last arrival, whose bytes must be
// those of the copies. A thread that has waited n times, each time for the parity of the next phase, waits for phase n. For all
// other barriers and waits nothing is known.
//
// One period of the turns of a loop that is not followed turn by turn stands for all others where each barrier has as many
// arrivals as each thread waits in it, an even number: what then differs between periods is the number of the phase and not its
// parity, nor which copies are on their way. Nothing is known of a barrier behind such a loop, nor behind a wait for a parity
// that is not known. Source: PTX ISA 9.0, "Phase of the mbarrier object", "mbarrier.test_wait".
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/path.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Follows the mbarriers of a block.
class mbarriers {
 public:
  /// `count`: of arrivals; 0: not known. Requires: `at` is known, for this and all that follow.
  void init(const mbarrier_phase_at& at, number count, bool is_certain) {
    state& s = of(at);
    if (s.is_made || !is_certain || count != 1) s.is_lost = true;
    s.is_made = true;
  }
  /// The threads of a way arrive, and expect so many bytes; -1: not known.
  void arrive(const mbarrier_phase_at& at, number bytes, const path& way, bool is_certain) {
    state& s = of(at);
    const auto thread = only_thread(way);
    if (!s.is_made || s.is_closed || !is_certain || !thread || bytes < 0 || (s.arriver && s.arriver != thread))
      s.is_lost = true;
    if (s.is_lost) return;
    s.arriver = thread;
    s.expected.push_back(bytes);
    s.copied.push_back(0);
  }
  /// Bytes are expected without an arrival, or something else happens to a barrier that is not counted here.
  void lose(const mbarrier_phase_at& at) { of(at).is_lost = has_waits_ = true; }
  /// It may have happened to any barrier.
  void lose_all() { has_lost_all_ = true; }
  /// Whether a phase was told of a barrier of which later nothing was known: then what was said is to be asked again, with
  /// `lose_all` first.
  bool were_misjudged() const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const auto& known) { return known.second.was_told && is_lost(known.second); });
  }

  /// A copy of so many bytes by the threads of a way. Returns: where it counts.
  mbarrier_phase_at copy(mbarrier_phase_at at, number bytes, const path& way, bool is_certain) {
    if (!at.is_known()) return at;
    state& s = of(at);
    const auto thread = only_thread(way);
    if (s.is_closed || !is_certain || !thread || s.arriver != thread || bytes < 0 || s.expected.empty()) s.is_lost = true;
    if (is_lost(s)) return at;
    s.copied.back() += bytes;
    if (s.copied.back() > s.expected.back()) s.is_lost = true;
    if (s.is_lost) return at;
    at.phase = static_cast<number>(s.expected.size()) - 1;
    s.was_told = true;
    return at;
  }

  /// Whether a wait of the way's threads for this parity orders nothing: it is for the phase in front of the first, and nobody
  /// has waited for an mbarrier before, so that nobody knows of a phase that is over.
  bool passes_at_once(const mbarrier_phase_at& at, number parity, const path& way, bool is_certain) {
    state& s = of(at);
    if (parity != 1 || !is_certain || way.must != way.may || has_waits_ || is_lost(s)) return false;
    s.was_told = true;
    return true;
  }
  /// Whether the last phase that the threads of the way have waited for ends by what stands in front of the wait. If not,
  /// other threads may be ordered in front of what these do next by what they do further down.
  bool has_ended(const mbarrier_phase_at& at, const path& way) const {
    const auto found = all_.find({at.variable, at.offset});
    if (!at.is_known() || found == all_.end() || is_lost(found->second)) return false;
    const state& s = found->second;
    for (const auto& [thread, count] : s.waits)
      if (way.may[thread] && count > static_cast<number>(s.expected.size())) return false;
    return true;
  }

  /// Arrivals and waits so far.
  struct counts {
    std::size_t arrivals = 0;
    std::map<std::size_t, number> waits = {};  // of each thread
    friend bool operator==(const counts&, const counts&) = default;
  };
  using all_counts = std::map<std::pair<std::uint32_t, number>, counts>;
  all_counts now() const {
    all_counts out;
    for (const auto& [at, s] : all_) out[at] = {s.expected.size(), s.waits};
    return out;
  }
  /// A period of the turns of a loop has been followed since `before`, and stands for all that come.
  void end_period(const all_counts& before) {
    for (auto& [at, s] : all_) {
      const auto found = before.find(at);
      const counts then = found == before.end() ? counts() : found->second;
      const auto arrived = static_cast<number>(s.expected.size() - then.arrivals);
      bool is_steady = arrived % 2 == 0 && (arrived == 0 || !s.waits.empty());
      for (const auto& [thread, turns] : s.waits) {
        const auto at_first = then.waits.find(thread);
        is_steady = is_steady && turns - (at_first == then.waits.end() ? 0 : at_first->second) == arrived;
      }
      if (!is_steady) s.is_lost = true;
    }
  }
  /// Behind a loop: how often what was used in it since `before` has been used is not known.
  void close(const all_counts& before) {
    for (const auto& [at, own] : now())
      if (const auto found = before.find(at); found == before.end() || found->second != own) all_[at].is_closed = true;
  }

  /// The threads of a way wait for a phase of this parity; -1: not known. Returns: the phase that has ended for them.
  mbarrier_phase_at wait(mbarrier_phase_at at, number parity, const path& way, bool is_certain) {
    state& s = of(at);
    has_waits_ = true;
    s.is_closed = s.is_closed || parity < 0;
    if (s.is_closed) return at;
    std::optional<number> turn;
    bool is_same = parity >= 0 && is_certain && way.must == way.may;
    for (std::size_t t = 0; t < way.may.size(); ++t) {
      if (!way.may[t]) continue;
      if (!turn) turn = s.waits[t];
      is_same = is_same && s.waits[t] == *turn;
      ++s.waits[t];
    }
    if (!is_same || !turn || *turn % 2 != parity) s.is_lost = true;
    if (is_lost(s)) return at;
    const auto phase = static_cast<std::size_t>(*turn);
    if (phase < s.expected.size() && s.expected[phase] != s.copied[phase]) s.is_lost = true;
    if (s.is_lost) return at;
    at.phase = *turn;
    s.was_told = true;
    return at;
  }

 private:
  struct state {
    bool is_made = false;
    bool is_lost = false;
    bool is_closed = false;  // nothing is known of later phases
    bool was_told = false;
    std::optional<std::uint32_t> arriver = {};
    dynamic_array<number> expected = {}, copied = {};  // bytes of each phase
    std::map<std::size_t, number> waits = {};          // of each thread
  };

  static std::optional<std::uint32_t> only_thread(const path& way) {
    if (way.may.count() != 1 || way.must != way.may) return std::nullopt;
    for (std::uint32_t t = 0; t < way.may.size(); ++t)
      if (way.may[t]) return t;
    return std::nullopt;
  }

  state& of(const mbarrier_phase_at& at) { return all_[{at.variable, at.offset}]; }
  bool is_lost(const state& s) const { return s.is_lost || has_lost_all_; }

  std::map<std::pair<std::uint32_t, number>, state> all_;
  bool has_lost_all_ = false;
  bool has_waits_ = false;
};

}  // namespace tg::proof
