// What is known of a predicate: the threads where it must hold, those where it may, and the comparison behind it.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include <tg/analysis/capability_table.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/symbols.hpp>

namespace tg::proof {

/// Threads of a block.
using threads = std::bitset<analysis::max_block_threads>;

/// The first `n` threads of a block.
inline threads first_threads(std::size_t n) { return n >= threads{}.size() ? ~threads{} : ~(~threads{} << n); }

/// One predicate.
struct condition {
  enum class kind : std::uint8_t {
    known,    // must == may
    at_most,  // left <= 0
    zero,     // left == 0
    both,     // a and b
    inverse,  // not a
    any,      // a, in some thread of the block
    data,     // nothing is known
  };
  kind what = kind::data;
  bool is_uniform = false;  // the same in all threads that are at the same place
  bool is_loose = false;    // threads ask it at different times, in different iterations
  threads must;
  threads may;
  form left = {};
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// All predicates of one kernel; they are named by number.
class conditions {
 public:
  explicit conditions(symbols& s) : symbols_(s), all_threads_(first_threads(s.threads())) {}

  const condition& operator[](std::uint32_t id) const { return all_[id]; }
  const threads& everyone() const { return all_threads_; }

  std::uint32_t known(const threads& where) {
    const bool is_uniform = where.none() || where == all_threads_;
    return make({.what = condition::kind::known, .is_uniform = is_uniform, .must = where, .may = where});
  }

  std::uint32_t data(bool is_uniform) {
    return make({.what = condition::kind::data, .is_uniform = is_uniform, .must = {}, .may = all_threads_});
  }

  /// From here on threads are, or are not, in different iterations of a loop.
  void be_loose(bool is) { is_loose_ = is; }

  /// left <= 0.
  std::uint32_t at_most(const form& left) { return compared(condition::kind::at_most, left); }
  /// left == 0.
  std::uint32_t zero(const form& left) { return compared(condition::kind::zero, left); }

  std::uint32_t inverse(std::uint32_t a) {
    const condition& x = all_[a];
    if (x.what == condition::kind::inverse) return x.a;
    const threads must = all_threads_ & ~x.may, may = all_threads_ & ~x.must;
    if (x.what == condition::kind::known) return known(must);
    return make({.what = condition::kind::inverse, .is_uniform = x.is_uniform, .must = must, .may = may, .left = {}, .a = a});
  }

  std::uint32_t both(std::uint32_t a, std::uint32_t b) {
    const threads must = all_[a].must & all_[b].must, may = all_[a].may & all_[b].may;
    if (must == may) return known(must);
    return make({.what = condition::kind::both,
                 .is_uniform = all_[a].is_uniform && all_[b].is_uniform,
                 .must = must,
                 .may = may,
                 .left = {},
                 .a = a,
                 .b = b});
  }

  /// Whether what memory holds decides it.
  bool is_of_data(std::uint32_t id) const {
    const condition& c = all_[id];
    switch (c.what) {
      case condition::kind::known: return false;
      case condition::kind::at_most:
      case condition::kind::zero: return symbols_.is_data(c.left);
      case condition::kind::both: return is_of_data(c.a) || is_of_data(c.b);
      case condition::kind::inverse: return is_of_data(c.a);
      case condition::kind::any: return false;  // threads that meet for it have the same
      case condition::kind::data: return true;
    }
    return true;
  }

  std::uint32_t either(std::uint32_t a, std::uint32_t b) { return inverse(both(inverse(a), inverse(b))); }

  /// Whether `a` holds in some thread of those that meet and ask.
  std::uint32_t any(std::uint32_t a) {
    if (all_[a].may.none()) return known({});
    return make({.what = condition::kind::any, .is_uniform = true, .must = {}, .may = all_threads_, .left = {}, .a = a});
  }

  /// `a` in the threads where `choice` holds, `b` elsewhere.
  std::uint32_t chosen(std::uint32_t choice, std::uint32_t a, std::uint32_t b) {
    if (a == b) return a;
    return either(both(choice, a), both(inverse(choice), b));
  }

  /// Adds the forms that are <= 0 wherever the condition holds, or does not. Returns: whether they say it all.
  bool facts(std::uint32_t id, bool holds, dynamic_array<form>& out) const {
    std::unordered_set<std::uint32_t> seen;
    return facts(id, holds, out, seen);
  }

 private:
  // What was `seen` to hold has given its forms already: a condition may be a part of many others.
  bool facts(std::uint32_t id, bool holds, dynamic_array<form>& out, std::unordered_set<std::uint32_t>& seen) const {
    const condition& c = all_[id];
    switch (c.what) {
      case condition::kind::known: return true;
      case condition::kind::inverse: return facts(c.a, !holds, out, seen);
      case condition::kind::both: {
        if (!holds) return false;
        if (!seen.insert(id).second) return true;
        const bool is_all = facts(c.a, true, out, seen);
        return facts(c.b, true, out, seen) && is_all;
      }
      case condition::kind::at_most: out.push_back(holds ? c.left : add(constant(1), c.left, -1)); return true;
      case condition::kind::zero:
        if (holds) out.push_back(c.left), out.push_back(scaled(c.left, -1));
        return holds;
      case condition::kind::any:
      case condition::kind::data: return false;
    }
    return false;
  }

  std::uint32_t make(condition c) {
    c.is_loose = is_loose_;
    all_.push_back(std::move(c));
    return static_cast<std::uint32_t>(all_.size() - 1);
  }

  std::uint32_t compared(condition::kind what, const form& left) {
    const number low = symbols_.low(left), high = symbols_.high(left);
    condition c{.what = what, .is_uniform = symbols_.shared(left) <= sharing::block, .must = {}, .may = {}, .left = left};
    for (std::size_t t = 0; t < symbols_.threads(); ++t) {
      const number own = left.at(t);
      const bool can_be_low = left.is_broken || low <= -unbounded || own + low <= 0;
      const bool can_be_high = left.is_broken || high >= unbounded || own + high >= 0;
      const bool is_never_high = !left.is_broken && high < unbounded && own + high <= 0;
      c.may[t] = what == condition::kind::zero ? can_be_low && can_be_high : can_be_low;
      c.must[t] = what == condition::kind::zero ? c.may[t] && low == high && !left.is_broken : is_never_high;
    }
    if (c.must == c.may) return known(c.must);
    return make(std::move(c));
  }

  symbols& symbols_;
  threads all_threads_;
  bool is_loose_ = false;
  dynamic_array<condition> all_;
};

}  // namespace tg::proof
