// Upper limits of sums over one or two threads, from the ranges of their symbols and the conditions on the way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <tg/dsl/proof/conditions.hpp>

namespace tg::proof {

/// Marks the symbols of the second thread that the first does not share.
inline constexpr std::uint32_t second_thread = 1u << 31;

/// `f` as the second thread sees it, of the same or another block: what it does not share with the first gets a name of
/// its own.
inline form renamed(const symbols& s, const form& f, bool is_other_block = false) {
  form out{{}, f.base, f.lanes};
  for (const bool is_own : {false, true})
    for (const term& t : f.terms) {
      const symbol& x = s[t.symbol];
      const bool is_renamed =
          x.shared == sharing::thread || x.is_loose || (is_other_block && x.shared == sharing::block);
      if (is_renamed == is_own) out.terms.push_back({is_renamed ? t.symbol | second_thread : t.symbol, t.factor});
    }
  return out;
}

/// A sum with numbers of the first thread's own and of the second's.
struct pair_sum {
  form first;  // with all terms
  form::column second = {};
};

/// Upper limits of sums over one or two threads.
class limits {
 public:
  limits(const symbols& s, const threads& first, const threads& second, bool is_other_block = false)
      : symbols_(s), first_(first), second_(second), is_other_block_(is_other_block) {}

  /// `f` <= 0 for the first thread; with `of_second`, for the second one, in the names of `renamed`.
  void know(form f, bool of_second = false) {
    if (of_second)
      facts_.push_back({form{f.terms, f.base, nullptr}, f.lanes ? *f.lanes : form::column{}});
    else
      facts_.push_back({std::move(f), {}});
  }

  /// Whether `sum` never exceeds `most`. `depth`: how many facts may be added up.
  bool keeps_to(const pair_sum& sum, number most, int depth = 3) const {
    if (plain(sum) <= most) return true;
    for (const term& t : sum.first.terms) {
      const symbol& s = symbols_[t.symbol & ~second_thread];
      if (s.op != ptx::opcode::min && s.op != ptx::opcode::max) continue;
      const bool is_one_enough = (s.op == ptx::opcode::min) == (t.factor > 0);
      if (keeps_to(replaced(sum, t, s.left), most, depth) == is_one_enough) return is_one_enough;
      return keeps_to(replaced(sum, t, s.right), most, depth);
    }
    if (depth == 0) return false;
    for (const pair_sum& fact : facts_)
      for (const term& known : fact.first.terms)
        for (const term& t : sum.first.terms)
          if (t.symbol == known.symbol && t.factor % known.factor == 0 && t.factor / known.factor > 0 &&
              keeps_to(added(sum, fact, -(t.factor / known.factor)), most, depth - 1))
            return true;
    return false;
  }

 private:
  number plain(const pair_sum& sum) const {
    number out = sum.first.base;
    if (sum.first.lanes) out += largest(*sum.first.lanes, first_);
    if (!sum.second.empty()) out += largest(sum.second, second_);
    for (const term& t : sum.first.terms) {
      const number more = symbols_.high({t.symbol & ~second_thread, t.factor});
      if (more >= unbounded) return unbounded;
      out = std::max(-unbounded, out + more);
    }
    return std::min(unbounded, out);
  }

  static number largest(const form::column& values, const threads& where) {
    number out = -unbounded;
    for (std::size_t t = 0; t < values.size(); ++t)
      if (where[t]) out = std::max(out, values[t]);
    return out;
  }

  static pair_sum added(const pair_sum& sum, const pair_sum& other, number factor) {
    pair_sum out{add(sum.first, other.first, factor), sum.second};
    if (other.second.empty()) return out;
    out.second.resize(other.second.size());
    for (std::size_t t = 0; t < out.second.size(); ++t) out.second[t] += factor * other.second[t];
    return out;
  }

  pair_sum replaced(const pair_sum& sum, const term& t, const form& by) const {
    const pair_sum without = added(sum, {single(t.symbol), {}}, -t.factor);
    if ((t.symbol & second_thread) == 0) return added(without, {by, {}}, t.factor);
    const form own = renamed(symbols_, by, is_other_block_);
    return added(without, {form{own.terms, own.base, nullptr}, own.lanes ? *own.lanes : form::column{}}, t.factor);
  }

  const symbols& symbols_;
  threads first_;
  threads second_;
  bool is_other_block_;
  std::vector<pair_sum> facts_;
};

}  // namespace tg::proof
