// The answers found so far, one per question and instruction: the worst is kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <tg/analysis/warp.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/compare.hpp>
#include <tg/dsl/proof/finding.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::proof {

/// Collects answers and gives them words.
class ledger {
 public:
  ledger(const ptx::module& m, analysis::block_extent block) : module_(m), block_(block) {}

  /// After so many searches in vain no further example is looked for: where data say which elements threads write, or which
  /// blocks meet, none is found, however many pairs of uses are tried.
  static constexpr int most_fruitless = 12;

  /// Examples are looked for in answer to these only.
  using questions = dynamic_array<std::pair<std::int64_t, question>>;  // ascending
  void seek_only(questions wanted) { wanted_ = std::move(wanted); }
  bool seeks(question q, std::uint32_t instruction) const {
    return !wanted_ || std::binary_search(wanted_->begin(), wanted_->end(), std::pair(std::int64_t{instruction}, q));
  }

  /// The instruction was asked about; without anything worse the answer is `proved`.
  finding& ask(question q, std::uint32_t instruction, const object& o = {}) {
    const auto [at, is_new] = found_.try_emplace({instruction, q});
    finding& f = at->second;
    if (is_new) {
      f.question = q;
      f.instruction = instruction;
      f.where = line_of(instruction);
      if (q != question::barrier) f.object = name_of(o);
    }
    return f;
  }

  /// Refuted is worse than unknown, which is worse than proved.
  static bool is_worse(answer a, answer b) {
    const auto rank = [](answer x) { return x == answer::proved ? 0 : x == answer::unknown ? 1 : 2; };
    return rank(a) > rank(b);
  }

  /// Whether `a` would be worse than the answer so far.
  bool is_open(question q, std::uint32_t instruction, answer a) const {
    const auto at = found_.find({instruction, q});
    return at == found_.end() || is_worse(a, at->second.answer);
  }

  /// Two uses that meet, or may.
  void meet(question q, const use& first, const use& second, const encounter& e, bool is_between_blocks, const char* fix) {
    const answer a = e.what == encounter::kind::meets ? answer::refuted : answer::unknown;
    finding& f = ask(q, second.instruction, second.where);
    if (!is_worse(a, f.answer)) return;
    f.answer = a;
    f.other = line_of(first.instruction);
    f.thread = coordinates(e.second);
    f.other_thread = coordinates(e.first);
    f.is_between_blocks = is_between_blocks;
    f.byte = e.byte;
    const std::string other = is_between_blocks ? " of another block" : "";
    if (a == answer::refuted)
      f.fact = "thread " + text(f.thread) + " " + verb(second) + " byte " + byte_text(e.byte) + " of " + f.object +
               " and thread " + text(f.other_thread) + other + " " + verb(first) + " it, with nothing that orders them";
    else f.fact = "whether another thread" + other + " " + verb(first) + " the same byte of " + f.object + " depends on data";
    f.fix = fix;
  }

  /// How two uses of threads of one block come in order.
  const char* advice_between(const use& first, const use& second) const {
    const source_location a = line_of(first.instruction), b = line_of(second.instruction);
    const bool is_one_line = a.line == b.line && std::string_view(a.file) == b.file;
    return is_one_line && !first.writes && second.writes
               ? "read before you write: auto next = tg::let(...), then block.sync(), then the assignment"
               : "let the threads meet between the two lines: block.sync(), or warp.sync() within a warp";
  }

  /// Any other answer.
  void answer_with(question q, std::uint32_t instruction, answer a, std::string fact, std::string fix, const object& o = {},
                   std::size_t thread = 0, number byte = 0, ptx::location other = {}) {
    finding& f = ask(q, instruction, o);
    if (!is_worse(a, f.answer)) return;
    f.answer = a;
    f.fact = std::move(fact);
    f.fix = std::move(fix);
    f.thread = coordinates(thread);
    f.byte = byte;
    f.other = to_source(other);
  }

  /// All threads of a block read a number from the same place of an object.
  void read_by_all(const object& o) { read_by_all_.insert(name_of(o)); }

  /// Every answer rests on numbers that blocks draw.
  void assume_counters() { assumes_counters_ = true; }

  /// What all threads of a block have read is the same for all only if nobody writes it meanwhile: where that is not proved,
  /// what rests on it is not known.
  dynamic_array<finding> take() {
    dynamic_array<finding> out;
    std::optional<finding> racing;
    for (const auto& [key, f] : found_)
      if (is_of_races(f.question) && f.answer != answer::proved && read_by_all_.contains(f.object)) racing = f;
    for (auto& [key, f] : found_) {
      if (racing && f.rests_on_memory && f.answer == answer::proved) {
        f.answer = answer::unknown;
        f.other = racing->where;
        f.fact = "whether all threads come here depends on " + racing->object + ", which others may write at the same time";
        f.fix = "keep what decides the branch from being written while threads read it: block.sync() between the two";
      }
      f.assumed.counters_at_zero = f.assumed.counters_at_zero || assumes_counters_;
      out.push_back(std::move(f));
    }
    return out;
  }

  source_location line_of(std::uint32_t instruction) const { return to_source(module_.functions[0].body[instruction].where); }

  std::string thread_text(std::size_t thread) const { return text(coordinates(thread)); }

 private:
  static bool is_of_races(question q) {
    return q == question::shared_race || q == question::global_race || q == question::async_copy;
  }

  static std::string byte_text(number byte) {
    const auto [row, rest] = split(byte, row_elements);
    return row == 0 ? std::to_string(rest) : "at column " + std::to_string(rest) + " of a row";
  }

  static const char* verb(const use& u) { return u.reads && u.writes ? "updates" : u.writes ? "writes" : "reads"; }

  static std::string text(const fixed_array<int, 3>& c) {
    return "(" + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]) + ")";
  }

  static std::string name_of(const object& o) { return (o.is_shared ? "tile " : "parameter ") + std::to_string(o.id); }

  fixed_array<int, 3> coordinates(std::size_t thread) const {
    const int t = static_cast<int>(thread);
    return {t % block_.x, t / block_.x % block_.y, t / block_.x / block_.y};
  }

  source_location to_source(ptx::location where) const {
    static std::mutex one_at_a_time;
    static std::set<std::string> names;  // few, and answers outlive the module
    const std::lock_guard hold(one_at_a_time);
    return {names.insert(module_.files[where.file]).first->c_str(), static_cast<int>(where.line)};
  }

  const ptx::module& module_;
  analysis::block_extent block_;
  std::map<std::pair<std::uint32_t, question>, finding> found_;
  std::optional<questions> wanted_;
  bool assumes_counters_ = false;
  std::set<std::string> read_by_all_;  // names of objects
};

}  // namespace tg::proof
