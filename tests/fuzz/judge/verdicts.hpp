// The verdicts of `tg::analyze` on a random kernel, by the lines they speak of.
#pragma once

#include <set>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/ptx/passes/remove_dead.hpp>

#include "brute_force.hpp"
#include "record.hpp"

namespace judge {

class verdicts {
 public:
  /// `trusts_all`: what is refuted is taken as proved. Errors: malformed, and the library's.
  explicit verdicts(const kernel& k, bool trusts_all = false) {
    const tg::detail::recordable recorded = to_recordable(k);
    tg::traced_kernel traced = tg::detail::record(recorded);
    // What nobody uses is not there for the analysis either.
    tg::ptx::remove_dead(traced.module.functions[0]);
    for (const tg::ptx::instruction& i : traced.module.functions[0].body)
      if (i.access != tg::ptx::no_index || i.op == tg::ptx::opcode::bar || i.op == tg::ptx::opcode::shfl ||
          i.op == tg::ptx::opcode::vote)
        alive_.insert(static_cast<int>(i.where.line));
    all_ = tg::detail::analyze(recorded, facts_of(k)).verdicts();
    for (tg::finding& f : all_)
      if (trusts_all && f.answer == tg::answer::refuted) f.answer = tg::answer::proved;
  }

  const tg::dynamic_array<tg::finding>& all() const { return all_; }

  /// Whether what is said of the fault's lines excludes it. Nothing said of an instruction that is there means that no
  /// thread was thought to come to it.
  bool exclude(const fault& f) const {
    if (f.is_unclaimed || !alive_.contains(f.line) || !alive_.contains(f.other)) return false;
    bool is_said = false, is_excused = false;
    for (const tg::finding& v : all_) {
      if (!speaks_of(v, f)) continue;
      if (v.answer != tg::answer::proved) return false;
      is_said = true;
      is_excused |= is_assumed_away(v, f);
    }
    return is_said ? !is_excused : !f.has_wrapped;
  }

  /// Whether a refutation is one of these lines.
  static bool is_shown_by(const tg::finding& v, const fault& f) {
    // What is read outside of a tile nobody has written either.
    const bool is_outside =
        v.question == tg::question::initialized && f.question == tg::question::extents && v.where.line == f.line;
    return is_outside || speaks_of(v, f);
  }

  /// Whether an answer is about the lines of a fault. Who waits at one barrier keeps others from the next, so all
  /// barriers answer for one that is missed.
  static bool speaks_of(const tg::finding& v, const fault& f) {
    return is_about(v.question, f.question) &&
           (f.question == tg::question::barrier || v.where.line == f.line || v.where.line == f.other);
  }

 private:
  static bool is_about(tg::question said, tg::question asked) {
    const auto in_tile = [](tg::question q) { return q == tg::question::shared_race || q == tg::question::async_copy; };
    return said == asked || (in_tile(said) && in_tile(asked)) ||
           (asked == tg::question::async_copy && said == tg::question::global_race) ||
           // What races, or is still being copied, may be read too early.
           (asked == tg::question::initialized && in_tile(said));
  }

  // What the answer takes for granted beyond the text of the kernel.
  template <class Finding> static bool is_assumed_away(const Finding& v, const fault& f) {
    if constexpr (requires { v.assumed.no_overflow; }) {
      const std::array one_block{v.assumed.one_block_x, v.assumed.one_block_y, v.assumed.one_block_z};
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (one_block[axis] && f.differs[axis]) return true;
      return v.assumed.no_overflow && f.has_wrapped;
    } else {
      return f.has_wrapped;
    }
  }

  tg::dynamic_array<tg::finding> all_;
  std::set<int> alive_;
};

}  // namespace judge
