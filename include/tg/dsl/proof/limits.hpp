// Upper limits of sums over one or two threads, from the ranges of their symbols and the conditions on the way.
//
// A limit is proved by adding up inequalities that hold: sum = (sum - k * fact) + k * fact with k > 0 and fact <= 0, so
// a limit of the first part is one of the sum. Symbols may be replaced by what they equal, and a minimum or maximum by
// its operands. All of it is arithmetic of integers without wrap-around; a sum that is too large proves nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/conditions.hpp>

namespace tg::proof {

/// Marks the symbols of the second thread that the first does not share.
inline constexpr std::uint32_t second_thread = 1u << 31;

/// `f` as the second thread sees it, of the same or another block: what it does not share with the first gets a name of
/// its own.
inline form renamed(const symbols& s, const form& f, bool is_other_block = false) {
  form out{{}, f.base, f.lanes, f.is_broken};
  for (const bool is_own : {false, true})
    for (const term& t : f.terms) {
      const symbol& x = s[t.symbol];
      const bool is_renamed = x.shared > sharing::block || x.is_loose || (is_other_block && x.shared == sharing::block);
      if (is_renamed == is_own) out.terms.push_back({is_renamed ? t.symbol | second_thread : t.symbol, t.factor});
    }
  return out;
}

/// What every block knows of its number, or of one that it has drawn: it is below the number of blocks. Forms that are <= 0.
inline dynamic_array<form> facts_of_grid(const symbols& s) {
  dynamic_array<form> out;
  for (int axis = 0; axis < 3; ++axis) {
    const auto along = [&](ptx::special x) { return s.find(static_cast<ptx::special>(static_cast<int>(x) + axis)); };
    const auto own = along(ptx::special::ctaid_x), all = along(ptx::special::nctaid_x);
    if (own && all) out.push_back(add(add(single(*own), single(*all), -1), constant(1)));
    for (const std::uint32_t drawn : s.drawn())
      if (all && s[drawn].drawn_along == axis) out.push_back(add(add(single(drawn), single(*all), -1), constant(1)));
  }
  return out;
}

/// A sum with numbers of the first thread's own and of the second's.
struct pair_sum {
  form first;  // with all terms
  form::column second = {};
};

/// The second thread's `f`, in the names of `renamed`.
inline pair_sum of_second_thread(const form& f) {
  return {form{f.terms, f.base, nullptr}, f.lanes ? *f.lanes : form::column{}};
}

/// Upper limits of sums over one or two threads.
class limits {
 public:
  limits(const symbols& s, const threads& first, const threads& second, bool is_other_block = false)
      : symbols_(s), first_(first), second_(second), is_other_block_(is_other_block) {
    const threads all = first_threads(s.threads());
    are_all_first_ = (first & all) == all;
    are_all_second_ = (second & all) == all;
  }

  /// `f` <= 0 for the first thread; with `of_second`, for the second one, in the names of `renamed`.
  void know(form f, bool of_second = false) { facts_.push_back(of_second ? of_second_thread(f) : pair_sum{std::move(f), {}}); }

  /// All of `facts`, which live as long as this.
  void know(const dynamic_array<pair_sum>& facts) { more_facts_.push_back(&facts); }

  /// Knows that `f` is not above 0, if it is not known already. Returns: whether it was new.
  bool know_once(form f) {
    for (const pair_sum& fact : facts_)
      if (fact.second.empty() && fact.first == f) return false;
    know(std::move(f));
    return true;
  }

  /// What is known contradicts itself: no two threads come together.
  bool is_shut() const {
    return any_fact([&](const pair_sum& fact) { return keeps_to({scaled(fact.first, -1), negative(fact.second)}, -1); });
  }

  /// Whether `sum` never exceeds `most`. `depth`: how many facts may be added up.
  bool keeps_to(const pair_sum& sum, number most, int depth = 3) const { return limit_within(sum, most, depth) <= most; }

  /// A number that `sum` never exceeds: the first one found that is not above `most`. `unbounded`: none was found.
  /// `depth`: how many facts may be added up.
  number limit_within(const pair_sum& sum, number most, int depth = 3) const {
    if (sum.first.is_broken) return unbounded;
    if (const number limit = plain(sum); limit <= most) return limit;
    number found = unbounded;
    const auto is_found = [&](number limit) { return (found = limit) <= most; };
    for (const term& t : sum.first.terms) {
      const symbol& s = symbols_[t.symbol & ~second_thread];
      if (s.op != operation::minimum && s.op != operation::maximum) continue;
      const auto with = [&](const form& operand) { return limit_within(replaced(sum, t, operand), most, depth); };
      if ((s.op == operation::minimum) == (t.factor > 0)) {  // the limit of either operand is enough
        if (is_found(with(s.left)) || is_found(with(s.right))) return found;
      } else if (const number left = with(s.left); left <= most) {
        if (is_found(std::max(left, with(s.right)))) return found;
      }
      // Only what is known of the minimum or maximum itself may help then.
      const auto helps = [&](const pair_sum& fact) { return is_found(limit_by(fact, t, sum, most, depth)); };
      return depth > 0 && any_fact(helps) ? found : unbounded;
    }
    if (depth == 0) return unbounded;
    const auto helps = [&](const pair_sum& fact) {
      return std::any_of(sum.first.terms.begin(), sum.first.terms.end(),
                         [&](const term& t) { return is_found(limit_by(fact, t, sum, most, depth)); });
    };
    if (any_fact(helps)) return found;
    for (const term& t : sum.first.terms)
      if (const form& same = symbols_[t.symbol & ~second_thread].same_as; !same.terms.empty())
        return limit_within(replaced(sum, t, same), most, depth - 1);
    return unbounded;
  }

 private:
  template <class Ask> bool any_fact(Ask ask) const {
    return std::any_of(facts_.begin(), facts_.end(), ask) ||
           std::any_of(more_facts_.begin(), more_facts_.end(),
                       [&](const dynamic_array<pair_sum>* more) { return std::any_of(more->begin(), more->end(), ask); });
  }

  // A limit of the sum that is not above `most`, by a fact that takes a term out of it; `unbounded`: none.
  number limit_by(const pair_sum& fact, const term& t, const pair_sum& sum, number most, int depth) const {
    for (const term& known : fact.first.terms) {
      if (t.symbol != known.symbol || t.factor % known.factor != 0 || t.factor / known.factor <= 0) continue;
      const number limit = limit_within(added(sum, fact, -(t.factor / known.factor)), most, depth - 1);
      if (limit <= most) return limit;
    }
    return unbounded;
  }

  number plain(const pair_sum& sum) const {
    if (sum.first.is_broken) return unbounded;
    number out = sum.first.base;
    if (sum.first.lanes) out += largest(*sum.first.lanes, first_, are_all_first_);
    if (!sum.second.empty()) out += largest(sum.second, second_, are_all_second_);
    for (const term& t : sum.first.terms) {
      const number more = symbols_.high({t.symbol & ~second_thread, t.factor});
      if (more >= unbounded || out >= unbounded) return unbounded;
      out = std::max(-unbounded, out + more);
    }
    return std::min(unbounded, out);
  }

  static form::column negative(form::column values) {
    for (number& n : values) n = -n;
    return values;
  }

  static number largest(const form::column& values, const threads& where, bool is_everywhere) {
    number out = -unbounded;
    if (is_everywhere) {
      for (const number n : values) out = std::max(out, n);
      return out;
    }
    for (std::size_t t = 0; t < values.size(); ++t)
      if (where[t]) out = std::max(out, values[t]);
    return out;
  }

  static pair_sum added(const pair_sum& sum, const pair_sum& other, number factor) {
    pair_sum out{add(sum.first, other.first, factor), sum.second};
    if (other.second.empty()) return out;
    out.second.resize(other.second.size());
    for (std::size_t t = 0; t < out.second.size(); ++t) {
      number more = 0;
      if (__builtin_mul_overflow(factor, other.second[t], &more) ||
          __builtin_add_overflow(out.second[t], more, &out.second[t]) || std::abs(out.second[t]) > largest_part)
        out.first.is_broken = true, out.second[t] = 0;
    }
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
  bool are_all_first_ = false, are_all_second_ = false;  // every thread of the block is among them
  dynamic_array<pair_sum> facts_;
  dynamic_array<const dynamic_array<pair_sum>*> more_facts_;
};

}  // namespace tg::proof
