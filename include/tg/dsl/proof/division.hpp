// Threads that ought to come to a place together, and do not.
#pragma once

#include <algorithm>
#include <cstddef>

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

/// Whether all threads of a group see the same number: counted from thread 0, `group` at a time.
inline bool is_same_in_groups(const symbols& s, const form& f, std::size_t group) {
  if (f.is_broken) return false;
  for (std::size_t t = 0; f.lanes && t < s.threads(); ++t)
    if (f.at(t) != f.at(t - t % group)) return false;
  return std::all_of(f.terms.begin(), f.terms.end(), [&](const term& t) {
    const symbol& x = s[t.symbol];
    if (x.shared <= sharing::block) return true;
    return x.op != operation::none && is_same_in_groups(s, x.left, group) && is_same_in_groups(s, x.right, group);
  });
}
inline bool is_same_in_groups(const symbols& s, const conditions& known, std::uint32_t id, std::size_t group) {
  const condition& c = known[id];
  switch (c.what) {
    case condition::kind::known:
      for (std::size_t t = 0; t < s.threads(); ++t)
        if (c.must[t] != c.must[t - t % group]) return false;
      return true;
    case condition::kind::at_most:
    case condition::kind::zero:
      return is_same_in_groups(s, c.left, group);
    case condition::kind::both:
      return is_same_in_groups(s, known, c.a, group) && is_same_in_groups(s, known, c.b, group);
    case condition::kind::inverse:
      return is_same_in_groups(s, known, c.a, group);
    case condition::kind::data:
      return c.is_uniform;
  }
  return false;
}

/// Looks for a division among `group` threads at a time, counted from thread 0. `none` is a proof: every condition on
/// the way is the same for all threads of a group, or all of them come whatever it is. `found` is an example.
inline division divided(values& v, const path& way, std::size_t group, bool seeks_example = true) {
  const conditions& known = v.predicates();
  if (way.must == known.everyone()) return {};
  const auto are_told = [&](const literal& l) { return is_same_in_groups(v.unknowns(), known, l.condition, group); };
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
  for (const number argument : arguments_to_try) {
    const choice chosen(v.unknowns(), known, argument, {});
    threads come, may_come;
    for (std::size_t t = 0; t < v.threads(); ++t) {
      const auto takes = chosen.takes(way, t);
      come[t] = takes == true && way.may[t];
      may_come[t] = takes != false && way.may[t];
    }
    if (tell(come, may_come)) return out;
  }
  return {division::kind::unknown, 0, 0, branch_before(known, way, 0)};
}

}  // namespace tg::proof
