// Barriers of a kernel, and those that keep something apart.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/source_location.hpp>

namespace tg::proof {

/// Which barriers nothing needs. A barrier is the number of its instruction.
class needed_barriers {
 public:
  void add(std::uint32_t barrier) { all_.insert(barrier); }
  void need(std::uint32_t barrier) { needed_.insert(barrier); }
  bool is_needed(std::uint32_t barrier) const { return needed_.contains(barrier); }

  /// Lines whose barriers all are redundant: a line of a body that is unrolled has many. `line_of(barrier)` is its line.
  template <class LineOf> dynamic_array<source_location> redundant(LineOf line_of) const {
    std::map<std::pair<std::string_view, int>, bool> lines;
    const auto add_all = [&](const std::set<std::uint32_t>& barriers) {
      for (const std::uint32_t b : barriers) {
        const source_location where = line_of(b);
        lines[{where.file, where.line}] |= is_needed(b);
      }
    };
    add_all(all_);
    add_all(needed_);
    dynamic_array<source_location> out;
    for (const auto& [line, has_needed] : lines)
      if (!has_needed) out.push_back({line.first.data(), line.second});
    return out;
  }

 private:
  std::set<std::uint32_t> all_;
  std::set<std::uint32_t> needed_;
};

}  // namespace tg::proof
