// Threads that ought to come to a place together, and do not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <tg/dsl/proof/path.hpp>
#include <tg/dsl/proof/values.hpp>

namespace tg::proof {

/// Two threads of which one takes a way and the other does not; or data decides.
struct division {
  enum class kind { none, found, unknown };
  kind what = kind::none;
  std::size_t comes = 0;
  std::size_t stays = 0;
  ptx::location branch = {};  // the innermost that keeps the other away
};

/// The innermost branch of a way that can keep a thread away.
inline ptx::location branch_before(const conditions& known, const path& way, std::size_t thread) {
  ptx::location out;
  for (const literal& l : *way.literals) {
    const condition& c = known[l.condition];
    const bool keeps_away = l.holds ? !c.must[thread] : c.may[thread];
    if (!c.is_uniform && (keeps_away || out == ptx::location{})) out = l.where;
  }
  return out;
}

/// Whether all threads of a group, counted from thread 0, see the same number or the same condition.
class group_sameness {
 public:
  group_sameness(const symbols& s, const conditions& known, std::size_t group) : s_(s), known_(known), group_(group) {}

  bool of_condition(std::uint32_t id) {
    const condition& c = known_[id];
    switch (c.what) {
      case condition::kind::known:
        for (std::size_t t = 0; t < s_.threads(); ++t)
          if (c.must[t] != c.must[t - t % group_]) return false;
        return true;
      case condition::kind::at_most:
      case condition::kind::zero: return of_number(c.left);
      case condition::kind::both: return once(conditions_, id, [&] { return of_condition(c.a) && of_condition(c.b); });
      case condition::kind::inverse: return of_condition(c.a);
      case condition::kind::any:
      case condition::kind::data: return c.is_uniform;
    }
    return false;
  }

  bool of_number(const form& f) {
    if (f.is_broken) return false;
    for (std::size_t t = 0; f.lanes && t < s_.threads(); ++t)
      if (f.at(t) != f.at(t - t % group_)) return false;
    return std::all_of(f.terms.begin(), f.terms.end(), [&](const term& t) {
      const symbol& x = s_[t.symbol];
      if (x.shared <= sharing::block || (x.shared == sharing::warp && group_ <= 32)) return true;
      return x.op != operation::none && once(symbols_, t.symbol, [&] { return of_number(x.left) && of_number(x.right); });
    });
  }

 private:
  // A symbol or condition may be a part of many others; it is judged when the first of them asks.
  template <class Judge>
  static bool once(std::unordered_map<std::uint32_t, bool>& judged, std::uint32_t id, const Judge& judge) {
    if (const auto it = judged.find(id); it != judged.end()) return it->second;
    const bool is_same = judge();
    judged.emplace(id, is_same);
    return is_same;
  }

  const symbols& s_;
  const conditions& known_;
  std::size_t group_;
  std::unordered_map<std::uint32_t, bool> symbols_;
  std::unordered_map<std::uint32_t, bool> conditions_;
};

/// Looks for a division among `group` threads at a time, counted from thread 0. `none` is a proof: every condition on
/// the way is the same for all threads of a group, or all of them come whatever it is. `found` is an example.
inline division divided(values& v, const path& way, std::size_t group, bool seeks_example = true) {
  const conditions& known = v.predicates();
  if (way.must == known.everyone()) return {};
  group_sameness sameness(v.unknowns(), known, group);
  const auto are_told = [&](const literal& l) { return l.is_assumed || sameness.of_condition(l.condition); };
  if (std::all_of(way.literals->begin(), way.literals->end(), are_told)) return {};
  bool is_settled = true;
  for (std::size_t first = 0; first < v.threads() && is_settled; first += group) {
    bool are_all = true, are_none = true;
    for (std::size_t t = first; t < std::min(first + group, v.threads()); ++t)
      are_all = are_all && way.must[t], are_none = are_none && !way.may[t];
    is_settled = are_all || are_none;
  }
  if (is_settled) return {};
  if (!seeks_example) return {division::kind::unknown, 0, 0, branch_before(known, way, 0)};
  division out;
  const auto tell = [&](const threads& come, const threads& may_come) {
    for (std::size_t first = 0; first < v.threads(); first += group) {
      std::size_t yes = v.threads(), no = yes;
      for (std::size_t t = first; t < std::min(first + group, v.threads()); ++t) {
        if (come[t]) yes = t;
        if (!may_come[t]) no = t;
      }
      if (yes == v.threads() || no == v.threads()) continue;
      out = {division::kind::found, yes, no, branch_before(known, way, no)};
      return true;
    }
    return false;
  };
  if (way.is_sure && tell(way.must, way.may)) return out;
  const path asked = way.only(false), assumed = way.only(true);
  for (const number argument : arguments_to_try) {
    const choice chosen(v.unknowns(), known, argument, {});
    threads come, may_come;
    bool is_allowed = true;
    for (std::size_t t = 0; t < v.threads() && is_allowed; ++t) {
      const auto takes = chosen.takes(asked, t);
      is_allowed = takes == false || chosen.takes(assumed, t) != false;
      come[t] = takes == true && way.may[t];
      may_come[t] = takes != false && way.may[t];
    }
    if (is_allowed && tell(come, may_come)) return out;
  }
  return {division::kind::unknown, 0, 0, branch_before(known, way, 0)};
}

}  // namespace tg::proof
