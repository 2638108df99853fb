// Which names may stand for reads that a kernel makes only where one operand of `&&`, `||` or `select` needs them.
#pragma once

#include <set>
#include <vector>

#include "tree.hpp"

namespace judge {

inline bool has_optional_operands(const expr& e) {
  return e.what == op::logic_and || e.what == op::logic_or || e.what == op::select;
}

namespace detail {

inline void names_in(const expr& e, bool is_optional, std::set<int>& out) {
  if (e.what == op::name && is_optional) out.insert(e.index);
  for (std::size_t n = 0; n < e.in.size(); ++n) names_in(e.in[n], is_optional || (n > 0 && has_optional_operands(e)), out);
}

inline void optional_names(const std::vector<stmt>& body, std::set<int>& out) {
  for (const stmt& s : body) {
    const bool is_optional = (s.what == stmt::kind::let || s.what == stmt::kind::var) && out.contains(s.index);
    for (const expr& e : s.in) names_in(e, is_optional, out);
    optional_names(s.body, out);
    optional_names(s.otherwise, out);
  }
}

}  // namespace detail

/// The names in such operands, and those that these are made of.
inline std::set<int> optional_names(const kernel& k) {
  std::set<int> out;
  std::size_t before = 0;
  do {
    before = out.size();
    detail::optional_names(k.body, out);
  } while (out.size() != before);
  return out;
}

}  // namespace judge
