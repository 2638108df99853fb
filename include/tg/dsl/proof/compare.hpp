// Whether two uses of memory can meet: proved apart, met by two threads, or not known.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/ascending.hpp>
#include <tg/dsl/proof/circles.hpp>
#include <tg/dsl/proof/encounter.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/reach.hpp>
#include <tg/dsl/proof/segments.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/dsl/proof/ways.hpp>

namespace tg::proof {

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
      : symbols_(s),
        conditions_(c),
        assumes_no_overflow_(assumes_no_overflow),
        reach_(s, assumes_no_overflow),
        ways_(s, c),
        search_(s, c) {}

  /// Two different threads of one block; `is_ordered(s, t)` says what barriers between them have settled. Without
  /// `seeks_example` what is not proved is unknown.
  template <class Ordered>
  encounter in_block(const use& a, const use& b, const dynamic_array<literal>& since, bool also_same_thread, Ordered is_ordered,
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
        const auto argument = seeks_example ? search_.can_both_come(a.way, b.way, since, s, t) : std::nullopt;
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
      const choice& chosen = search_.chosen_numbers(argument);
      if (search_.meet_by_choice(a, b, since, chosen, chosen, matters, out)) break;
    }
    return out;
  }

  /// What is known of numbers that blocks find in arrays.
  void know(dynamic_array<span_of_block> spans) { spans_ = std::move(spans); }

  /// Threads of two blocks that differ along `axis` (0: x), and perhaps along others.
  encounter between_blocks(const use& a, const use& b, int axis, bool seeks_example = true) const {
    const auto &who_a = a.laid->who, &who_b = b.laid->who;
    if (who_a.empty() || who_b.empty()) return {};
    const auto in = [&](const segment& own) { return in_segment(own, a, b, axis, seeks_example); };
    if (const auto own = common_segment(symbols_, conditions_, a, b)) return in(*own);
    if (const auto own = segment_of_digits(symbols_, conditions_, a, b)) return in(*own);
    if (const auto own = segment_of_array(symbols_, conditions_, a, b, spans_)) return in(*own);
    if (are_blocks_out_of_reach(a, b, axis)) return {};
    if (const auto own = segment_of_constant(symbols_, conditions_, a, b)) return in(*own);
    if (are_ways_apart(a, b) || is_one_block(a, b, axis)) return {};
    if (a.expanded || b.expanded) {
      const use &x = a.expanded ? *a.expanded : a, &y = b.expanded ? *b.expanded : b;
      if (are_blocks_out_of_reach(x, y, axis) || are_ways_apart(x, y)) return {};
    }
    const auto matters = [](std::size_t, std::size_t) { return true; };
    encounter out{encounter::kind::unknown, who_a.front(), who_b.front(), 0, 0};
    if (!seeks_example) return out;
    fixed_array<number, 3> next{};
    next[static_cast<std::size_t>(axis)] = 1;
    for (const number argument : arguments_to_try)
      for (const bool is_swapped : {false, true}) {
        const choice& mine = search_.chosen_numbers(argument, is_swapped ? next : fixed_array<number, 3>{});
        const choice& yours = search_.chosen_numbers(argument, is_swapped ? fixed_array<number, 3>{} : next);
        if (search_.meet_by_choice(a, b, {}, mine, yours, matters, out)) return out;
      }
    return out;
  }

 private:
  // The threads share all symbols of the two offsets, which have the same.
  bool do_symbols_cancel(const use& a, const use& b) const {
    return !a.offset.is_broken && !b.offset.is_broken && a.offset.terms == b.offset.terms &&
           std::none_of(b.offset.terms.begin(), b.offset.terms.end(), [&](const term& t) {
             return symbols_[t.symbol].shared > sharing::block || symbols_[t.symbol].is_loose;
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
           (!reach_.is_wide(difference) && reach_.is_out_of_reach(a, b, difference, matters, do_all_matter)) ||
           is_apart(a, b, renamed(symbols_, b.offset)) || !meets_on_circle(a, b, matters, out, divisor);
  }

  bool are_blocks_out_of_reach(const use& a, const use& b, int axis) const {
    return !a.offset.is_broken && !b.offset.is_broken && reach_.are_blocks_out_of_reach(a, b, axis);
  }
  // Whether what the ways say keeps two blocks apart.
  bool are_ways_apart(const use& a, const use& b) const {
    return !a.offset.is_broken && !b.offset.is_broken && is_apart(a, b, renamed(symbols_, b.offset, true), true);
  }

  // Whether what the two ways ask for together cannot be.
  bool is_way_shut(const use& a, const use& b) const {
    const limits known = known_of(a, b, false);
    return known.is_shut();
  }

  // Blocks of other segments are apart; those of one are compared within it.
  encounter in_segment(const segment& own, const use& a, const use& b, int axis, bool seeks_example) const {
    if (own.axis == axis) return {};
    return between_blocks(without(a, own.begin), without(b, own.begin), axis, seeks_example);
  }

  // A use as if its segment began with the buffer, made once for each segment.
  static const use& without(const use& u, const form& begin) {
    for (const use::rest_of_use& known : u.rests)
      if (known.begin == begin) return *known.rest;
    use rest = u;
    rest.offset = add(u.offset, begin, -1);
    rest.expanded = {};
    rest.segments = {};
    rest.rests = {};
    u.rests.push_back({begin, std::make_shared<const use>(std::move(rest))});
    return *u.rests.back().rest;
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
    return reach_.is_wide(difference) ? divisor & -divisor : divisor;
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

  const symbols& symbols_;
  const conditions& conditions_;
  bool assumes_no_overflow_;

  dynamic_array<span_of_block> spans_;
  mutable reach reach_;
  mutable circles circles_;
  mutable ways ways_;
  encounter_search search_;
};

}  // namespace tg::proof
