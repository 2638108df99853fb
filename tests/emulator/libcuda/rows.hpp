// The rows of a file of exported functions, for the tests that read them: included behind this one, such a file is the
// elements of a `std::vector<rows::row>`.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#define TG_EXPORT(base, suffix, since, function) {#base, #base #suffix, since},
#define TG_EXPORT_PER_THREAD(base, suffix, since, function) {#base, #base #suffix, since},
#define TG_REFUSE(base, suffix, since) {#base, #base #suffix, since},

namespace rows {

struct row {
  std::string base;
  std::string symbol;
  int since;
  friend bool operator==(const row&, const row&) = default;
};

inline bool has(const std::vector<row>& all, const row& one) { return std::ranges::find(all, one) != all.end(); }

/// Symbols that two rows have.
inline std::vector<std::string> twice(const std::vector<row>& all) {
  std::set<std::string> seen;
  std::vector<std::string> out;
  for (const row& r : all)
    if (!seen.insert(r.symbol).second) out.push_back(r.symbol);
  return out;
}

}  // namespace rows
