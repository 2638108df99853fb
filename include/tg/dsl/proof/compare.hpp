// Whether two uses of memory can meet: proved apart, met by two threads, or not known.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tg/dsl/proof/circles.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/segments.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/dsl/proof/ways.hpp>

namespace tg::proof {

/// How two uses stand to each other.
struct encounter {
  enum class kind { apart, meets, unknown };
  kind what = kind::apart;
  std::uint32_t first = 0;   // thread
  std::uint32_t second = 0;  // thread
  number byte = 0;           // of the object
  number argument = 0;       // what the arguments were
};

/// No two threads are ordered.
struct unordered {
  constexpr bool operator()(std::size_t, std::size_t) const { return false; }
};

/// Compares uses of one object, each with its `lay_out`.
///
/// `apart` is a proof: for every launch that the symbols' ranges and the conditions on both ways allow, no pair of
/// different threads that is not ordered touches a common byte. Each rule below compares the two offsets as integers,
/// where the symbols that both threads share cancel and all others take any value of their range. Offsets are congruent
/// to addresses modulo 2^64; integers that lie less than 2^62 from each other differ exactly if the addresses do, so a
/// difference without limits counts only where what is left modulo a power of two keeps the threads apart, or on the
/// assumption that sums do not overflow.
///
/// `meets` is an example: arguments, blocks and two threads for which every number on both ways is computed as the
/// machine does. Where data decides there is no example, and the answer is `unknown`.
class comparison {
 public:
  comparison(const symbols& s, const conditions& c, bool assumes_no_overflow = false)
      : symbols_(s), conditions_(c), assumes_no_overflow_(assumes_no_overflow), ways_(s, c) {}

  /// Two different threads of one block; `is_ordered(s, t)` says what barriers between them have settled. Without
  /// `seeks_example` what is not proved is unknown.
  template <class Ordered>
  encounter in_block(const use& a, const use& b, const std::vector<literal>& since, bool also_same_thread, Ordered is_ordered,
                     bool seeks_example = true) const {
    const auto &who_a = a.laid->who, &who_b = b.laid->who;
    const auto matters = [&](std::size_t s, std::size_t t) { return (also_same_thread || s != t) && !is_ordered(s, t); };
    const bool do_all_matter = also_same_thread && std::is_same_v<Ordered, unordered>;
    encounter out;
    if (who_a.empty() || who_b.empty()) return out;
    if (do_symbols_cancel(a, b)) {
      const auto &first = a.laid->places, &second = b.laid->places;
      if (a.bytes > 0 && b.bytes > 0 && !share_a_byte(a.laid->ranges, b.laid->ranges)) return out;
      int tries = 0;
      each_overlap(first, a.bytes, second, b.bytes, [&](std::uint32_t s, std::uint32_t t, number at) {
        if (!matters(s, t)) return false;
        if (out.what == encounter::kind::apart) out = {encounter::kind::unknown, s, t, at, 0};
        const auto argument = seeks_example ? can_both_come(a.way, b.way, since, s, t) : std::nullopt;
        if (argument) out = {encounter::kind::meets, s, t, at, *argument};
        return argument || !seeks_example || ++tries > 32;
      });
      if (out.what == encounter::kind::unknown && is_way_shut(a, b)) return {};
      return out;
    }
    if (are_apart(a, b, difference_of(a, b), matters, do_all_matter, out)) return {};
    if (a.expanded || b.expanded) {
      const use &x = a.expanded ? *a.expanded : a, &y = b.expanded ? *b.expanded : b;
      encounter other;
      if (are_apart(x, y, difference_of(x, y), matters, do_all_matter, other)) return {};
    }
    if (!seeks_example) return out;
    for (const number argument : arguments_to_try) {
      const choice chosen(symbols_, conditions_, argument, {});
      if (meet_by_choice(a, b, since, chosen, chosen, matters, out)) break;
    }
    return out;
  }

  /// Threads of two blocks that differ along `axis` (0: x), and perhaps along others.
  encounter between_blocks(const use& a, const use& b, int axis, bool seeks_example = true) const {
    const auto &who_a = a.laid->who, &who_b = b.laid->who;
    if (who_a.empty() || who_b.empty()) return {};
    if (const auto own = common_segment(symbols_, conditions_, a, b)) return in_segment(*own, a, b, axis, seeks_example);
    if (are_blocks_apart(a, b, axis) || is_one_block(a, b, axis)) return {};
    if (a.expanded || b.expanded) {
      const use &x = a.expanded ? *a.expanded : a, &y = b.expanded ? *b.expanded : b;
      if (are_blocks_apart(x, y, axis)) return {};
    }
    const auto matters = [](std::size_t, std::size_t) { return true; };
    encounter out{encounter::kind::unknown, who_a.front(), who_b.front(), 0, 0};
    if (!seeks_example) return out;
    std::array<number, 3> next{};
    next[static_cast<std::size_t>(axis)] = 1;
    for (const number argument : arguments_to_try)
      for (const bool is_swapped : {false, true}) {
        const choice mine(symbols_, conditions_, argument, is_swapped ? next : std::array<number, 3>{});
        const choice yours(symbols_, conditions_, argument, is_swapped ? std::array<number, 3>{} : next);
        if (meet_by_choice(a, b, {}, mine, yours, matters, out)) return out;
      }
    return out;
  }

 private:
  // The threads share all symbols of the two offsets, which have the same.
  bool do_symbols_cancel(const use& a, const use& b) const {
    return !a.offset.is_broken && !b.offset.is_broken && a.offset.terms == b.offset.terms &&
           std::none_of(b.offset.terms.begin(), b.offset.terms.end(), [&](const term& t) {
             return symbols_[t.symbol].shared == sharing::thread || symbols_[t.symbol].is_loose;
           });
  }

  form difference_of(const use& a, const use& b) const {
    const form other = renamed(symbols_, b.offset);
    return add(form{a.offset.terms, 0, nullptr, a.offset.is_broken}, form{other.terms, 0, nullptr, other.is_broken}, -1);
  }

  // One of the rules proves it; if none does, `out` is a pair that may meet.
  template <class Matters>
  bool are_apart(const use& a, const use& b, const form& difference, Matters matters, bool do_all_matter,
                 encounter& out) const {
    if (difference.is_broken) {
      out = {encounter::kind::unknown, a.laid->who.front(), b.laid->who.front(), 0, 0};
      return false;
    }
    const number divisor = divisor_of(difference);
    // The cheap ones first.
    return are_apart_on_circle(a, b, divisor) ||
           (!is_wide(difference) && is_out_of_reach(a, b, difference, matters, do_all_matter)) ||
           is_apart(a, b, renamed(symbols_, b.offset)) || !meets_on_circle(a, b, matters, out, divisor);
  }

  bool are_blocks_apart(const use& a, const use& b, int axis) const {
    if (a.offset.is_broken || b.offset.is_broken) return false;
    if (are_blocks_out_of_reach(a, b, axis)) return true;
    return is_apart(a, b, renamed(symbols_, b.offset, true), true);
  }

  // What two uses have in common with others that differ in the numbers of `base` only.
  struct block_pattern {
    std::vector<term> first_terms, second_terms;
    form::column first_starts, second_starts;
    number first_bytes = 0, second_bytes = 0, row_unit = 0;
    int axis = 0;
    std::vector<unknown_number> unknowns;
    bool is_wide = false;
    std::map<std::array<number, 5>, bool> out_of_reach = {};  // by all that `is_out_of_reach` asks beyond the pattern

    bool fits(const use& a, const use& b, int along) const {
      return axis == along && first_terms == a.offset.terms && second_terms == b.offset.terms && first_bytes == a.bytes &&
             second_bytes == b.bytes && row_unit == a.row_unit && first_starts == a.laid->starts &&
             second_starts == b.laid->starts;
    }
  };

  // Unrolled code writes many elements in one pattern, and each is compared with each.
  bool are_blocks_out_of_reach(const use& a, const use& b, int axis) const {
    block_pattern& pattern = pattern_of(a, b, axis);
    if (pattern.is_wide) return false;
    const layout_of_threads &mine = *a.laid, &yours = *b.laid;
    const auto [known, is_new] = pattern.out_of_reach.try_emplace(
        {mine.places.front().start - yours.places.front().start, mine.low.row - yours.high.row, mine.low.rest - yours.high.rest,
         mine.high.row - yours.low.row, mine.high.rest - yours.low.rest});
    if (is_new) known->second = is_out_of_reach(a, b, pattern.unknowns, differences_of(a, b));
    return known->second;
  }

  block_pattern& pattern_of(const use& a, const use& b, int axis) const {
    constexpr std::size_t most = 32;
    for (block_pattern& p : patterns_)
      if (p.fits(a, b, axis)) return p;
    if (patterns_.size() == most) patterns_.pop_front();
    block_pattern& out = patterns_.emplace_back(block_pattern{a.offset.terms, b.offset.terms, a.laid->starts, b.laid->starts,
                                                              a.bytes, b.bytes, a.row_unit, axis, block_unknowns(a, b, axis)});
    out.is_wide = !assumes_no_overflow_ && std::any_of(out.unknowns.begin(), out.unknowns.end(), [](const unknown_number& x) {
      return x.low <= -unbounded || x.high >= unbounded || symbols::times(x.factor, x.low) <= -unbounded ||
             symbols::times(x.factor, x.high) >= unbounded || symbols::times(x.factor, x.high) <= -unbounded ||
             symbols::times(x.factor, x.low) >= unbounded;
    });
    return out;
  }

  // Whether a sum of so many terms may pass 2^62.
  bool is_wide(const form& difference) const {
    if (assumes_no_overflow_) return false;
    return std::any_of(difference.terms.begin(), difference.terms.end(), [&](const term& t) {
      const term own{t.symbol & ~second_thread, t.factor};
      return symbols_.low(own) <= -unbounded || symbols_.high(own) >= unbounded;
    });
  }

  // Whether what the two ways ask for together cannot be.
  bool is_way_shut(const use& a, const use& b) const {
    const limits known = known_of(a, b, false);
    return known.is_shut();
  }

  // Blocks of other segments are apart; those of one are compared within it.
  encounter in_segment(const segment& own, use a, use b, int axis, bool seeks_example) const {
    if (own.axis == axis) return {};
    for (use* u : {&a, &b}) {
      u->offset = add(u->offset, single(own.begin.symbol), -own.begin.factor);
      u->expanded = {};
    }
    return between_blocks(a, b, axis, seeks_example);
  }

  std::optional<number> can_both_come(const path& a, const path& b, const std::vector<literal>& since, std::size_t s,
                                      std::size_t t) const {
    if (a.is_sure && b.is_sure && since.empty() && a.must[s] && b.must[t]) return 0;
    for (const number argument : arguments_to_try) {
      const choice chosen(symbols_, conditions_, argument, {});
      if (come(chosen, a, since, s) && come(chosen, b, {}, t)) return argument;
    }
    return std::nullopt;
  }

  static bool come(const choice& chosen, const path& way, const std::vector<literal>& since, std::size_t thread) {
    if (chosen.takes(way, thread) != true) return false;
    if (since.empty()) return true;
    path more;
    more.literals = std::make_shared<const std::vector<literal>>(since);
    return chosen.takes(more, thread) == true;
  }

  // What the ways of two threads say; of the same block or of two.
  limits known_of(const use& a, const use& b, bool is_other_block) const {
    limits known(symbols_, a.way.may, b.way.may, is_other_block);
    known.know(ways_.facts_of(a.way).of_first);
    const way_facts& second = ways_.facts_of(b.way);
    known.know(is_other_block ? second.of_other_block : second.of_second);
    for (const form& f : facts_of_grid(symbols_)) {
      known.know(f);
      if (is_other_block) known.know(renamed(symbols_, f, true), true);
    }
    return known;
  }

  // Both ways are taken by the same block only.
  bool is_one_block(const use& a, const use& b, int axis) const {
    const auto number_of_block = symbols_.find(static_cast<ptx::special>(static_cast<int>(ptx::special::ctaid_x) + axis));
    if (!number_of_block) return false;
    const limits known = known_of(a, b, true);
    const form mine = single(*number_of_block), yours = single(*number_of_block | second_thread);
    return known.keeps_to({add(mine, yours, -1), {}}, 0) && known.keeps_to({add(yours, mine, -1), {}}, 0);
  }

  // One lies above the other whatever the symbols are.
  bool is_apart(const use& a, const use& b, const form& other, bool is_other_block = false) const {
    const limits known = known_of(a, b, is_other_block);
    const form::column own = b.offset.lanes ? *b.offset.lanes : form::column{};
    form::column minus(own);
    for (number& n : minus) n = -n;
    const form bare{other.terms, other.base, nullptr, other.is_broken};
    const pair_sum above{add(a.offset, bare, -1), minus}, below{add(bare, a.offset, -1), own};
    const auto is_near = [&](const pair_sum& sum) { return assumes_no_overflow_ || known.keeps_to(sum, largest_part); };
    return (known.keeps_to(above, -a.bytes) && is_near(below)) || (known.keeps_to(below, -b.bytes) && is_near(above));
  }

  // What all factors are multiples of; of sums that may wrap around, the power of two in it.
  number divisor_of(const form& difference) const {
    number divisor = 0;
    for (const term& t : difference.terms) divisor = std::gcd(divisor, t.factor);
    return is_wide(difference) ? divisor & -divisor : divisor;
  }

  // No two threads touch a common byte when multiples of the divisor are free.
  bool are_apart_on_circle(const use& a, const use& b, number divisor) const {
    return a.bytes > 0 && b.bytes > 0 && divisor >= a.bytes + b.bytes &&
           !share_a_byte(circles_.of(a.laid, divisor), circles_.of(b.laid, divisor));
  }

  // Whether anything is left when multiples of the factors' divisor are free; the pair is kept as a suspect.
  template <class Matters>
  bool meets_on_circle(const use& a, const use& b, Matters matters, encounter& out, number divisor) const {
    const auto &who_a = a.laid->who, &who_b = b.laid->who;
    const auto first = sorted_places(values_of(a.offset, symbols_.threads()), who_a, divisor);
    const auto second = sorted_places(values_of(b.offset, symbols_.threads()), who_b, divisor);
    if (divisor < a.bytes + b.bytes) {
      out = {encounter::kind::unknown, who_a.front(), who_b.front(), 0, 0};
      return true;
    }
    return each_overlap_on_circle(first, a.bytes, second, b.bytes, divisor, [&](std::uint32_t s, std::uint32_t t, number at) {
      if (!matters(s, t)) return false;
      out = {encounter::kind::unknown, s, t, at, 0};
      return true;
    });
  }

  std::vector<unknown_number> unknowns(const form& difference) const {
    std::vector<unknown_number> out;
    for (const term& t : difference.terms) {
      const symbol& s = symbols_[t.symbol & ~second_thread];
      out.push_back({t.factor, s.low, s.high, false});
    }
    return out;
  }

  template <class Matters>
  bool is_out_of_reach(const use& a, const use& b, const form& difference, Matters matters, bool do_all_matter) const {
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
  bool is_out_of_reach(const use& a, const use& b, const std::vector<unknown_number>& all,
                       const std::vector<number>& differences) const {
    return is_out_of_reach(a, b, all, [&](auto visit) {
      const number apart = a.laid->places.front().start - b.laid->places.front().start;
      return std::any_of(differences.begin(), differences.end(), [&](number n) { return visit(n + apart); });
    });
  }

  // Whether no pair of threads can meet, rows and places in a row each by themselves. `any_pair(visit)` visits how far
  // the two are apart without symbols, until `visit` returns true.
  template <class AnyPair>
  bool is_out_of_reach(const use& a, const use& b, const std::vector<unknown_number>& all, AnyPair any_pair) const {
    const number row_bytes = row_elements * a.row_unit;
    std::vector<unknown_number> rows, rest;
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
  const std::vector<number>& differences_of(const use& a, const use& b) const {
    const form::column &first = a.laid->starts, &second = b.laid->starts;
    for (const spread& known : spreads_)
      if (known.first == first && known.second == second) return known.differences;
    std::vector<number> all;
    all.reserve(first.size() * second.size());
    for (const number x : first)
      for (const number y : second) all.push_back(x - y);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    spreads_.push_back({first, second, std::move(all)});
    return spreads_.back().differences;
  }

  // What differs between the addresses of two blocks; the numbers of the blocks differ along `axis`.
  std::vector<unknown_number> block_unknowns(const use& a, const use& b, int axis) const {
    std::vector<unknown_number> out;
    const auto factor_in = [](const form& f, std::uint32_t id) {
      for (const term& t : f.terms)
        if (t.symbol == id) return t.factor;
      return number{0};
    };
    const auto axis_of = [&](std::uint32_t id) {
      const auto s = symbols_[id].special;
      return s == ptx::special::ctaid_x ? 0 : s == ptx::special::ctaid_y ? 1 : s == ptx::special::ctaid_z ? 2 : -1;
    };
    const auto add_unknown = [&](std::uint32_t id, number factor) {
      out.push_back({factor, symbols_[id].low, symbols_[id].high, false});
    };
    // The number of a block plus any multiple of the number of blocks: two blocks never come to the same sum, as their
    // numbers differ by less than the number of blocks. So such multiples may join the difference of the two numbers,
    // if that has the same factor on both sides.
    const number walk = walk_factor(a.offset, b.offset);
    bool is_walking = false;
    const auto joins = [&](const term& t) { return walk != 0 && t.factor % walk == 0 && is_multiple_of_grid(t.symbol); };
    std::vector<term> left;
    for (const term& t : a.offset.terms) {
      const number other = factor_in(b.offset, t.symbol);
      const symbol& s = symbols_[t.symbol];
      const bool is_shared = s.shared == sharing::launch && !s.is_loose;
      if (is_shared && other == t.factor) continue;
      if (joins(t) && (other == 0 || other % walk == 0)) {
        is_walking = true;
      } else if (is_shared) {
        add_unknown(t.symbol, t.factor - other);
      } else if (axis_of(t.symbol) >= 0 && other == t.factor) {
        left.push_back(t);
      } else {
        add_unknown(t.symbol, t.factor);
        if (other != 0) add_unknown(t.symbol, -other);
      }
    }
    for (const term& t : b.offset.terms) {
      if (factor_in(a.offset, t.symbol) != 0) continue;
      if (joins(t)) is_walking = true;
      else add_unknown(t.symbol, -t.factor);
    }
    for (const term& t : left) {
      const bool is_open = is_walking && axis_of(t.symbol) == 0;
      const number most = is_open ? unbounded : symbols_[t.symbol].high;
      out.push_back({t.factor, -most, most, axis_of(t.symbol) == axis});
    }
    return out;
  }

  // The factor that both have for the number of the block along x, or 0.
  number walk_factor(const form& a, const form& b) const {
    const auto factor = [&](const form& f) {
      for (const term& t : f.terms)
        if (symbols_[t.symbol].special == ptx::special::ctaid_x) return t.factor;
      return number{0};
    };
    return factor(a) == factor(b) ? factor(a) : 0;
  }
  bool is_multiple_of_grid(std::uint32_t id) const {
    const auto is_count = [&](const form& x) {
      return x.terms.size() == 1 && symbols_[x.terms[0].symbol].special == ptx::special::nctaid_x && x.base == 0 && !x.lanes;
    };
    const symbol& s = symbols_[id];
    return s.special == ptx::special::nctaid_x || (s.op == operation::product && (is_count(s.left) || is_count(s.right)));
  }

  template <class Matters>
  bool meet_by_choice(const use& a, const use& b, const std::vector<literal>& since, const choice& mine, const choice& yours,
                      Matters matters, encounter& out) const {
    const auto first = chosen_places(a, since, mine), second = chosen_places(b, {}, yours);
    return each_overlap(first, a.bytes, second, b.bytes, [&](std::uint32_t s, std::uint32_t t, number at) {
      if (!matters(s, t)) return false;
      out = {encounter::kind::meets, s, t, at, mine.argument()};
      return true;
    });
  }

  std::vector<place> chosen_places(const use& u, const std::vector<literal>& since, const choice& chosen) const {
    form::column starts(symbols_.threads());
    std::vector<std::uint32_t> who;
    for (std::uint32_t t = 0; t < starts.size(); ++t) {
      if (!u.way.may[t]) continue;
      const auto at = chosen.value(u.offset, t);
      if (!at || !come(chosen, u.way, since, t)) continue;
      starts[t] = *at;
      who.push_back(t);
    }
    return sorted_places(starts, who);
  }

  const symbols& symbols_;
  const conditions& conditions_;
  bool assumes_no_overflow_;

  struct spread {
    form::column first, second;
    std::vector<number> differences;
  };
  mutable std::deque<spread> spreads_;
  mutable std::deque<block_pattern> patterns_;
  mutable circles circles_;
  mutable ways ways_;
};

}  // namespace tg::proof
