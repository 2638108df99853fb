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

/// Looks for a division among `group` threads at a time, counted from thread 0.
inline division divided(values& v, const path& way, std::size_t group) {
  const conditions& known = v.predicates();
  if (way.must == known.everyone()) return {};
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
  if (tell(way.must, way.may)) return out;
  if (way.must == way.may) return {};
  for (const number argument : arguments_to_try) {
    choice chosen(v.unknowns(), known, argument, {});
    threads come, may_come;
    for (std::size_t t = 0; t < v.threads(); ++t) {
      const auto takes = chosen.takes(way, t);
      come[t] = takes == true;
      may_come[t] = takes != false;
    }
    if (tell(come, may_come)) return out;
  }
  return {division::kind::unknown, 0, 0, branch_before(known, way, 0)};
}

}  // namespace tg::proof
