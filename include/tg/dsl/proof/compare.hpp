// Whether two uses of memory can meet: proved apart, met by two threads, or not known.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/segments.hpp>
#include <tg/dsl/proof/use.hpp>

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

/// Compares uses of one object, each with its `lay_out`.
class comparison {
 public:
  comparison(const symbols& s, const conditions& c) : symbols_(s), conditions_(c) {}

  /// Two different threads of one block; `is_ordered(s, t)` says what barriers between them have settled.
  template <class Ordered>
  encounter in_block(const use& a, const use& b, const std::vector<literal>& since, bool also_same_thread,
                     Ordered is_ordered) const {
    const form other = renamed(symbols_, b.offset);
    const form difference = add(form{a.offset.terms, 0, nullptr}, form{other.terms, 0, nullptr}, -1);
    const auto &who_a = a.laid->who, &who_b = b.laid->who;
    const auto matters = [&](std::size_t s, std::size_t t) {
      return (also_same_thread || s != t) && !is_ordered(s, t);
    };
    encounter out;
    if (who_a.empty() || who_b.empty()) return out;
    if (difference.terms.empty()) {
      const auto &first = a.laid->places, &second = b.laid->places;
      if (first.back().start + a.bytes <= second.front().start || second.back().start + b.bytes <= first.front().start) return out;
      int tries = 0;
      each_overlap(first, a.bytes, second, b.bytes, [&](std::uint32_t s, std::uint32_t t, number at) {
        if (!matters(s, t)) return false;
        if (out.what == encounter::kind::apart) out = {encounter::kind::unknown, s, t, at, 0};
        const auto argument = can_both_come(a.way, b.way, since, s, t);
        if (argument) out = {encounter::kind::meets, s, t, at, *argument};
        return argument || ++tries > 32;
      });
      return out;
    }
    if (is_apart(a, b, other)) return out;
    if (!meets_on_circle(a, b, difference, who_a, who_b, matters, out)) return {};
    if (is_out_of_reach(a, b, difference, who_a, who_b, matters)) return {};
    for (const number argument : arguments_to_try) {
      choice chosen(symbols_, conditions_, argument, {});
      if (meet_by_choice(a, b, since, chosen, chosen, matters, out)) break;
    }
    return out;
  }

  /// Threads of two blocks that differ along `axis` (0: x).
  encounter between_blocks(const use& a, const use& b, int axis) const {
    const auto &who_a = a.laid->who, &who_b = b.laid->who;
    if (who_a.empty() || who_b.empty()) return {};
    if (const auto own = common_segment(symbols_, conditions_, a, b)) return in_segment(*own, a, b, axis);
    const auto matters = [](std::size_t, std::size_t) { return true; };
    if (is_out_of_reach(a, b, block_unknowns(a, b, axis), who_a, who_b, matters)) return {};
    if (is_apart(a, b, renamed(symbols_, b.offset, true), true) || is_one_block(a, b, axis)) return {};
    encounter out{encounter::kind::unknown, 0, 0, 0, 0};
    std::array<number, 3> next{};
    next[static_cast<std::size_t>(axis)] = 1;
    for (const number argument : arguments_to_try)
      for (const bool is_swapped : {false, true}) {
        choice mine(symbols_, conditions_, argument, is_swapped ? next : std::array<number, 3>{});
        choice yours(symbols_, conditions_, argument, is_swapped ? std::array<number, 3>{} : next);
        if (meet_by_choice(a, b, {}, mine, yours, matters, out)) return out;
      }
    return out;
  }

 private:
  // Blocks of other segments are apart; those of one are compared within it.
  encounter in_segment(const segment& own, use a, use b, int axis) const {
    if (own.axis == axis) return {};
    for (use* u : {&a, &b}) u->offset = add(u->offset, single(own.begin.symbol), -own.begin.factor);
    return between_blocks(a, b, axis);
  }

  std::optional<number> can_both_come(const path& a, const path& b, const std::vector<literal>& since, std::size_t s,
                                      std::size_t t) const {
    if (a.is_sure && b.is_sure && since.empty() && a.must[s] && b.must[t]) return 0;
    for (const number argument : arguments_to_try) {
      choice chosen(symbols_, conditions_, argument, {});
      if (come(chosen, a, since, s) && come(chosen, b, {}, t)) return argument;
    }
    return std::nullopt;
  }

  static bool come(choice& chosen, const path& way, const std::vector<literal>& since, std::size_t thread) {
    if (chosen.takes(way, thread) != true) return false;
    if (since.empty()) return true;
    path more;
    more.literals = std::make_shared<const std::vector<literal>>(since);
    return chosen.takes(more, thread) == true;
  }

  // What the ways of two threads say; of the same block or of two.
  limits known_of(const use& a, const use& b, bool is_other_block) const {
    limits known(symbols_, a.way.may, b.way.may, is_other_block);
    for (form& f : a.way.facts(conditions_)) known.know(std::move(f));
    for (const form& f : b.way.facts(conditions_)) known.know(renamed(symbols_, f, is_other_block), true);
    return known;
  }

  // Both ways are taken by the same block only.
  bool is_one_block(const use& a, const use& b, int axis) const {
    const auto number_of_block =
        symbols_.find(static_cast<ptx::special>(static_cast<int>(ptx::special::ctaid_x) + axis));
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
    const form bare{other.terms, other.base, nullptr};
    return known.keeps_to({add(a.offset, bare, -1), minus}, -a.bytes) ||
           known.keeps_to({add(bare, a.offset, -1), own}, -b.bytes);
  }

  // Whether anything is left when multiples of the factors' divisor are free; the pair is kept as a suspect.
  template <class Matters>
  bool meets_on_circle(const use& a, const use& b, const form& difference, const std::vector<std::uint32_t>& who_a,
                       const std::vector<std::uint32_t>& who_b, Matters matters, encounter& out) const {
    number divisor = 0;
    for (const term& t : difference.terms) divisor = std::gcd(divisor, t.factor);
    const auto first = sorted_places(values_of(a.offset, symbols_.threads()), who_a, divisor);
    const auto second = sorted_places(values_of(b.offset, symbols_.threads()), who_b, divisor);
    if (divisor < a.bytes + b.bytes) {
      out = {encounter::kind::unknown, who_a.front(), who_b.front(), 0, 0};
      return true;
    }
    return each_overlap_on_circle(first, a.bytes, second, b.bytes, divisor,
                                  [&](std::uint32_t s, std::uint32_t t, number at) {
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
  bool is_out_of_reach(const use& a, const use& b, const form& difference, const std::vector<std::uint32_t>& who_a,
                       const std::vector<std::uint32_t>& who_b, Matters matters) const {
    return is_out_of_reach(a, b, unknowns(difference), who_a, who_b, matters);
  }

  // Whether no pair of threads can meet, rows and places in a row each by themselves.
  template <class Matters>
  bool is_out_of_reach(const use& a, const use& b, const std::vector<unknown_number>& all,
                       const std::vector<std::uint32_t>& who_a, const std::vector<std::uint32_t>& who_b,
                       Matters matters) const {
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
    const auto first = values_of(a.offset, symbols_.threads()), second = values_of(b.offset, symbols_.threads());
    std::unordered_set<number> known;
    for (const std::uint32_t s : who_a)
      for (const std::uint32_t t : who_b) {
        if (!matters(s, t)) continue;
        const number apart = first[s] - second[t];
        if (!known.insert(apart).second) continue;
        const row_and_rest own = split(apart, row_bytes);
        if (may_meet(own, own)) return false;
      }
    return true;
  }

  // What differs between the addresses of two blocks; the numbers of the blocks differ along `axis`.
  std::vector<unknown_number> block_unknowns(const use& a, const use& b, int axis) const {
    const form mine = with_block_walk(a.offset), yours = with_block_walk(b.offset);
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
    for (const term& t : mine.terms) {
      const number other = factor_in(yours, t.symbol);
      const symbol& s = symbols_[t.symbol];
      if (s.shared == sharing::launch && !s.is_loose) {
        if (other != t.factor) add_unknown(t.symbol, t.factor - other);
      } else if (axis_of(t.symbol) >= 0 && other == t.factor) {
        out.push_back({t.factor, -(number{1} << 31), number{1} << 31, axis_of(t.symbol) == axis});
      } else {
        add_unknown(t.symbol, t.factor);
        if (other != 0) add_unknown(t.symbol, -other);
      }
    }
    for (const term& t : yours.terms)
      if (factor_in(mine, t.symbol) == 0) add_unknown(t.symbol, -t.factor);
    return out;
  }

  // The number of a block and any multiple of the number of blocks: no other block comes to the same sum.
  form with_block_walk(const form& f) const {
    number factor = 0;
    for (const term& t : f.terms)
      if (symbols_[t.symbol].special == ptx::special::ctaid_x) factor = t.factor;
    if (factor == 0) return f;
    const auto is_count = [&](const form& x) {
      return x.terms.size() == 1 && symbols_[x.terms[0].symbol].special == ptx::special::nctaid_x;
    };
    form out = f;
    for (const term& t : f.terms) {
      const symbol& s = symbols_[t.symbol];
      const bool is_walk =
          s.special == ptx::special::nctaid_x || (s.op == ptx::opcode::mul && (is_count(s.left) || is_count(s.right)));
      if (is_walk && t.factor % factor == 0) out = add(out, single(t.symbol), -t.factor);
    }
    return out;
  }

  template <class Matters>
  bool meet_by_choice(const use& a, const use& b, const std::vector<literal>& since, choice& mine, choice& yours,
                      Matters matters, encounter& out) const {
    const auto first = chosen_places(a, since, mine), second = chosen_places(b, {}, yours);
    return each_overlap(first, a.bytes, second, b.bytes, [&](std::uint32_t s, std::uint32_t t, number at) {
      if (!matters(s, t)) return false;
      out = {encounter::kind::meets, s, t, at, mine.argument()};
      return true;
    });
  }

  std::vector<place> chosen_places(const use& u, const std::vector<literal>& since, choice& chosen) const {
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
};

}  // namespace tg::proof
