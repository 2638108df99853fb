// Whether two uses are out of each other's reach: what lies between them without symbols is further than what their symbols can
// add in their ranges. Rows of a matrix and places in a row are compared each by themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <unordered_set>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/block_distance.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Compares distances. Unrolled code asks for the same many times, so what was found is kept.
class reach {
 public:
  reach(const symbols& s, bool assumes_no_overflow) : symbols_(s), assumes_no_overflow_(assumes_no_overflow) {}

  /// Whether a sum of so many terms may pass 2^62.
  bool is_wide(const form& difference) const {
    if (assumes_no_overflow_) return false;
    return std::any_of(difference.terms.begin(), difference.terms.end(), [&](const term& t) {
      const term own{t.symbol & ~second_thread, t.factor};
      return symbols_.low(own) <= -unbounded || symbols_.high(own) >= unbounded;
    });
  }

  /// Whether no two threads of one block that matter can meet. `difference`: the symbols of both offsets.
  template <class Matters>
  bool is_out_of_reach(const use& a, const use& b, const form& difference, Matters matters, bool do_all_matter) {
    return is_out_of_reach(a, b, unknowns(difference), [&](auto visit) {
      std::unordered_set<number> near;
      const number apart = a.laid->places.front().start - b.laid->places.front().start;
      for (const number n : differences_of(a, b))
        if (visit(n + apart)) {
          if (do_all_matter) return true;
          near.insert(n + apart);
        }
      if (near.empty()) return false;
      for (const std::uint32_t s : a.laid->who)
        for (const std::uint32_t t : b.laid->who)
          if (near.contains(a.offset.at(s) - b.offset.at(t)) && matters(s, t)) return true;
      return false;
    });
  }

  /// Whether no threads of two blocks that differ along `axis` can meet.
  bool are_blocks_out_of_reach(const use& a, const use& b, int axis) {
    return are_parts_out_of_reach(a, b, axis, block_part::number) ||
           (are_numbers_split(symbols_, a, b, axis) && are_parts_out_of_reach(a, b, axis, block_part::quotient) &&
            are_parts_out_of_reach(a, b, axis, block_part::remainder));
  }

 private:
  bool are_parts_out_of_reach(const use& a, const use& b, int axis, block_part part) {
    block_pattern& pattern = pattern_of(a, b, axis, part);
    if (pattern.is_wide) return false;
    const layout_of_threads &mine = *a.laid, &yours = *b.laid;
    const auto [known, is_new] = pattern.out_of_reach.try_emplace(
        {mine.places.front().start - yours.places.front().start, mine.low.row - yours.high.row, mine.low.rest - yours.high.rest,
         mine.high.row - yours.low.row, mine.high.rest - yours.low.rest});
    if (is_new) known->second = is_out_of_reach(a, b, pattern.unknowns, differences_of(a, b));
    return known->second;
  }

  // What two uses have in common with others that differ in the numbers of `base` only.
  struct block_pattern {
    dynamic_array<term> first_terms, second_terms;
    form::column first_starts, second_starts;
    number first_bytes = 0, second_bytes = 0, row_unit = 0;
    int axis = 0;
    block_part part = block_part::number;
    dynamic_array<unknown_number> unknowns;
    bool is_wide = false;
    std::map<std::array<number, 5>, bool> out_of_reach = {};  // by all that `is_out_of_reach` asks beyond the pattern

    bool fits(const use& a, const use& b, int along, block_part differing) const {
      return axis == along && part == differing && first_terms == a.offset.terms && second_terms == b.offset.terms &&
             first_bytes == a.bytes && second_bytes == b.bytes && row_unit == a.row_unit && first_starts == a.laid->starts &&
             second_starts == b.laid->starts;
    }
  };

  block_pattern& pattern_of(const use& a, const use& b, int axis, block_part part) {
    constexpr std::size_t most = 32;
    const auto known =
        std::find_if(patterns_.begin(), patterns_.end(), [&](const block_pattern& p) { return p.fits(a, b, axis, part); });
    if (known != patterns_.end()) {
      patterns_.splice(patterns_.begin(), patterns_, known);
      return *known;
    }
    if (patterns_.size() == most) patterns_.pop_back();
    block_pattern& out =
        patterns_.emplace_front(block_pattern{a.offset.terms, b.offset.terms, a.laid->starts, b.laid->starts, a.bytes, b.bytes,
                                              a.row_unit, axis, part, block_unknowns(symbols_, a, b, axis, part)});
    out.is_wide = !assumes_no_overflow_ && std::any_of(out.unknowns.begin(), out.unknowns.end(), [](const unknown_number& x) {
      return x.low <= -unbounded || x.high >= unbounded || symbols::times(x.factor, x.low) <= -unbounded ||
             symbols::times(x.factor, x.high) >= unbounded || symbols::times(x.factor, x.high) <= -unbounded ||
             symbols::times(x.factor, x.low) >= unbounded;
    });
    return out;
  }

  dynamic_array<unknown_number> unknowns(const form& difference) const {
    dynamic_array<unknown_number> out;
    for (const term& t : difference.terms) {
      const symbol& s = symbols_[t.symbol & ~second_thread];
      out.push_back({t.factor, s.low, s.high, false});
    }
    return out;
  }

  bool is_out_of_reach(const use& a, const use& b, const dynamic_array<unknown_number>& all,
                       const dynamic_array<number>& differences) const {
    return is_out_of_reach(a, b, all, [&](auto visit) {
      const number apart = a.laid->places.front().start - b.laid->places.front().start;
      return std::any_of(differences.begin(), differences.end(), [&](number n) { return visit(n + apart); });
    });
  }

  // Whether no pair of threads can meet, rows and places in a row each by themselves. `any_pair(visit)` visits how far
  // the two are apart without symbols, until `visit` returns true.
  template <class AnyPair>
  bool is_out_of_reach(const use& a, const use& b, const dynamic_array<unknown_number>& all, AnyPair any_pair) const {
    const number row_bytes = row_elements * a.row_unit;
    dynamic_array<unknown_number> rows, rest;
    for (unknown_number x : all) {
      const auto [row, left] = split(x.factor, row_bytes);
      if (row != 0 || (x.factor == 0 && x.is_zero_excluded)) x.factor = row, rows.push_back(x);
      if (left != 0 || (x.factor == 0 && x.is_zero_excluded)) x.factor = left, rest.push_back(x);
    }
    const auto descending = [](const unknown_number& x, const unknown_number& y) {
      return std::abs(x.factor) > std::abs(y.factor);
    };
    std::sort(rows.begin(), rows.end(), descending);
    std::sort(rest.begin(), rest.end(), descending);
    const auto may_meet = [&](row_and_rest low, row_and_rest high) {
      return can_reach(rows.data(), rows.size(), -high.row, -low.row) &&
             can_reach(rest.data(), rest.size(), -high.rest - a.bytes + 1, -low.rest + b.bytes - 1);
    };
    const layout_of_threads &mine = *a.laid, &yours = *b.laid;
    if (!may_meet({mine.low.row - yours.high.row, mine.low.rest - yours.high.rest},
                  {mine.high.row - yours.low.row, mine.high.rest - yours.low.rest}))
      return true;
    return !any_pair([&](number apart) {
      const row_and_rest own = split(apart, row_bytes);
      return may_meet(own, own);
    });
  }

  // How far the places of any two threads are apart, less the distance of the lowest places. Unrolled code asks for the
  // same many times.
  const dynamic_array<number>& differences_of(const use& a, const use& b) {
    const form::column &first = a.laid->starts, &second = b.laid->starts;
    for (const spread& known : spreads_)
      if (known.first == first && known.second == second) return known.differences;
    dynamic_array<number> all;
    all.reserve(first.size() * second.size());
    for (const number x : first)
      for (const number y : second) all.push_back(x - y);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    spreads_.push_back({first, second, std::move(all)});
    return spreads_.back().differences;
  }

  struct spread {
    form::column first, second;
    dynamic_array<number> differences;
  };

  const symbols& symbols_;
  bool assumes_no_overflow_;
  std::deque<spread> spreads_;
  std::list<block_pattern> patterns_;  // the last ones first
};

}  // namespace tg::proof
