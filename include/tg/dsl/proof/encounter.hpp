// How two uses of memory stand to each other, and the search for an example: arguments, blocks and two threads for which every
// number on both ways is computed as the machine does, and both touch one byte.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/path.hpp>
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

/// Looks for threads that come by given ways. Where data decides there is no example.
class encounter_search {
 public:
  encounter_search(const symbols& s, const conditions& c) : symbols_(s), conditions_(c) {}

  /// The numbers that follow from an argument and a block. They are computed once, however many ways are tried with them.
  const choice& chosen_numbers(number argument, const fixed_array<number, 3>& block = {}) const {
    for (const choice& own : chosen_)
      if (own.argument() == argument && own.block() == block) return own;
    return chosen_.emplace_back(symbols_, conditions_, argument, block);
  }

  /// Whether an example shows that a thread comes by this way.
  bool comes(const path& way, std::size_t thread) const {
    if (way.is_sure && way.must[thread]) return true;
    for (const number argument : arguments_to_try) {
      const choice& chosen = chosen_numbers(argument);
      if (chosen.takes(way, thread) == true) return true;
    }
    return false;
  }

  /// Whether an example shows that some thread comes by this way.
  bool comes_any(const path& way) const {
    for (std::size_t t = 0; t < symbols_.threads(); ++t)
      if (way.may[t] && comes(way, t)) return true;
    return false;
  }

  /// A thread that comes to an access whose bytes lie between 0 and `size`, and where they begin.
  std::optional<place> finds_inside(const use& u, number size) const {
    for (const number argument : arguments_to_try) {
      const choice& chosen = chosen_numbers(argument);
      for (std::uint32_t t = 0; t < symbols_.threads(); ++t) {
        if (!u.way.may[t]) continue;
        const auto at = chosen.value(u.offset, t);
        if (at && *at >= 0 && *at + u.bytes <= size && chosen.takes(u.way, t) == true) return place{*at, t};
      }
    }
    return std::nullopt;
  }

  /// The arguments with which thread `s` comes by `a`, where `since` holds, and thread `t` of the same block by `b`.
  std::optional<number> can_both_come(const path& a, const path& b, const dynamic_array<literal>& since, std::size_t s,
                                      std::size_t t) const {
    if (a.is_sure && b.is_sure && since.empty() && a.must[s] && b.must[t]) return 0;
    for (const number argument : arguments_to_try) {
      const choice& chosen = chosen_numbers(argument);
      if (come(chosen, a, since, s) && come(chosen, b, {}, t)) return argument;
    }
    return std::nullopt;
  }

  /// Looks for two threads that matter and touch one byte, each with the numbers chosen for it. Returns: whether there are
  /// such, as `out`.
  template <class Matters>
  bool meet_by_choice(const use& a, const use& b, const dynamic_array<literal>& since, const choice& mine, const choice& yours,
                      Matters matters, encounter& out) const {
    // A copy: the places of b may take those of a out of what is kept.
    const dynamic_array<place> first = since.empty() ? chosen_places(a, mine) : chosen_places(a, since, mine);
    const dynamic_array<place>& second = chosen_places(b, yours);
    return each_overlap(first, a.bytes, second, b.bytes, [&](std::uint32_t s, std::uint32_t t, number at) {
      if (!matters(s, t)) return false;
      out = {encounter::kind::meets, s, t, at, mine.argument()};
      return true;
    });
  }

 private:
  static bool come(const choice& chosen, const path& way, const dynamic_array<literal>& since, std::size_t thread) {
    if (chosen.takes(way, thread) != true) return false;
    if (since.empty()) return true;
    path more;
    more.literals = std::make_shared<const dynamic_array<literal>>(since);
    return chosen.takes(more, thread) == true;
  }

  // The places of a use, kept: it is compared with many others by the same choices.
  const dynamic_array<place>& chosen_places(const use& u, const choice& chosen) const {
    kept_places& kept = places_[{&chosen, u.instruction}];
    if (kept.literals != u.way.literals || kept.may != u.way.may || !(kept.offset == u.offset))
      kept = {u.offset, u.way.literals, u.way.may, chosen_places(u, {}, chosen)};
    return kept.places;
  }

  dynamic_array<place> chosen_places(const use& u, const dynamic_array<literal>& since, const choice& chosen) const {
    form::column starts(symbols_.threads());
    dynamic_array<std::uint32_t> who;
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
  mutable std::deque<choice> chosen_;

  struct kept_places {
    form offset;
    std::shared_ptr<const dynamic_array<literal>> literals;
    threads may;
    dynamic_array<place> places;
  };
  mutable std::map<std::pair<const choice*, std::uint32_t>, kept_places> places_;  // of the last use by each instruction
};

}  // namespace tg::proof
