// Names of a function's parameters and variables, each once: scopes go when the IR is made, so a name that shadows another gets
// a number.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <tg/ptx/parse/parse_operand.hpp>

namespace tg::ptx::detail {

/// The names that are taken in one function, besides those of the module.
class unique_names {
 public:
  explicit unique_names(const module_names& names) : names_(names) {}

  /// A name of this stem that is not taken, and now is.
  std::string make(const std::string& name) {
    const auto is_free = [&](const std::string& n) { return !taken_.contains(n) && !names_.contains(n); };
    std::string stem = name;
    if (stem[0] == '%') stem[0] = '_';  // the names of registers begin so
    std::string out = stem;
    for (std::uint32_t& n = next_suffix_[stem]; !is_free(out);) out = stem + "_" + std::to_string(++n);
    taken_.insert(out);
    return out;
  }

  /// Takes a name as it is.
  void take(const std::string& name) { taken_.insert(name); }

 private:
  const module_names& names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::uint32_t> next_suffix_;
};

}  // namespace tg::ptx::detail
