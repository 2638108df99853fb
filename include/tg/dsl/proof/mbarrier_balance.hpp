// Whether every wait for an mbarrier can end: as many arrivals come in the whole kernel as the phases ask for that threads wait
// for, and as many bytes are copied as are expected.
//
// It counts; it asks for no order. Barriers are left out of which some arrival, copy or wait is not followed thread by thread:
// one in a loop of unknown length, under a condition of the launch, from another block. Source: PTX ISA 9.0, "Phase of the
// mbarrier object", "Tracking asynchronous operations by the mbarrier object".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/path.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Counts what happens to the mbarriers of a block.
class mbarrier_balance {
 public:
  /// A wait that does not end, or ends too early.
  struct fault {
    std::uint32_t instruction = 0;  // of the wait
    std::string fact;
  };

  /// Requires of all: `at` is known. `is_certain`: in every launch, and once for each time it is told.
  void init(const mbarrier_phase_at& at, number count, bool is_certain) {
    state& s = of(at);
    s.is_lost = s.is_lost || s.count != 0 || count <= 0 || !is_certain;
    s.count = count;
  }
  /// Each thread of the way arrives and expects so many bytes.
  void arrive(const mbarrier_phase_at& at, number bytes, const path& way, bool is_certain) {
    state& s = of(at);
    if (bytes < 0 || !is_known(way, is_certain)) return void(s.is_lost = true);
    const auto threads = static_cast<number>(way.may.count());
    s.arrivals += threads;
    s.expected += threads * bytes;
  }
  /// Each thread of the way copies so many bytes.
  void copy(const mbarrier_phase_at& at, number bytes, const path& way, bool is_certain) {
    state& s = of(at);
    if (bytes < 0 || !is_known(way, is_certain)) return void(s.is_lost = true);
    s.copied += static_cast<number>(way.may.count()) * bytes;
  }
  /// The threads of the way wait for a phase of this parity; -1: not known. A thread that has waited for n phases waits for
  /// the next, or does not wait where the parity is that of the phase before the first.
  void wait(std::uint32_t instruction, const mbarrier_phase_at& at, number parity, const path& way, bool is_certain) {
    state& s = of(at);
    if (parity < 0 || !is_known(way, is_certain)) return void(s.is_lost = true);
    for (std::size_t t = 0; t < way.may.size(); ++t) {
      if (!way.may[t]) continue;
      number& phases = s.waited[t];
      if (phases % 2 != parity) {
        if (phases != 0) s.is_lost = true;
        continue;
      }
      if (++phases > s.most) s.most = phases, s.last = instruction;
    }
  }
  /// Something else happens to it.
  void lose(const mbarrier_phase_at& at) { of(at).is_lost = true; }
  /// It may happen to any.
  void lose_all() { has_lost_all_ = true; }

  /// What is wrong. Requires: the kernel has been followed to its end.
  dynamic_array<fault> judge() const {
    dynamic_array<fault> out;
    if (has_lost_all_) return out;
    for (const auto& [place, s] : all_) {
      if (s.is_lost || s.count == 0 || s.most == 0) continue;
      const number phases = s.arrivals / s.count;
      const auto text = [](number n) { return std::to_string(n); };
      if (s.most > phases)
        out.push_back({s.last, "this wait never ends: it is for phase " + text(s.most - 1) + " of an mbarrier of " +
                                   text(s.count) + (s.count == 1 ? " arrival" : " arrivals") + " per phase, and " +
                                   text(s.arrivals) + " come in all"});
      else if (s.most == phases && s.expected != s.copied)
        out.push_back({s.last, "this wait ends too early or never: the arrivals at its mbarrier expect " + text(s.expected) +
                                   " bytes in all, and " + text(s.copied) + " are copied"});
    }
    return out;
  }

 private:
  struct state {
    bool is_lost = false;
    number count = 0, arrivals = 0, expected = 0, copied = 0;
    number most = 0;         // phases that one thread waits for
    std::uint32_t last = 0;  // the wait for the last of them
    std::map<std::size_t, number> waited = {};
  };

  static bool is_known(const path& way, bool is_certain) { return is_certain && way.must == way.may; }

  state& of(const mbarrier_phase_at& at) { return all_[{at.variable, at.offset}]; }

  std::map<std::pair<std::uint32_t, number>, state> all_;
  bool has_lost_all_ = false;
};

}  // namespace tg::proof
