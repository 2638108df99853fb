// What the conditions on a way say of the thread that comes by it.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/path.hpp>

namespace tg::proof {

/// Sums that are <= 0 for the first thread of a pair, or for the second, of the same block or of another.
struct way_facts {
  std::shared_ptr<const dynamic_array<literal>> way;
  dynamic_array<pair_sum> of_first, of_second, of_other_block;
};

/// Found once for each way.
class ways {
 public:
  ways(const symbols& s, const conditions& c) : symbols_(s), conditions_(c) {}

  /// Valid as long as this.
  const way_facts& facts_of(const path& way) {
    way_facts& out = known_[way.literals.get()];
    if (out.way != nullptr) return out;
    out.way = way.literals;  // so that its address is nobody else's
    for (form& f : way.facts(conditions_)) {
      out.of_second.push_back(of_second_thread(renamed(symbols_, f)));
      out.of_other_block.push_back(of_second_thread(renamed(symbols_, f, true)));
      out.of_first.push_back({std::move(f), {}});
    }
    return out;
  }

 private:
  const symbols& symbols_;
  const conditions& conditions_;
  std::unordered_map<const dynamic_array<literal>*, way_facts> known_;
};

}  // namespace tg::proof
