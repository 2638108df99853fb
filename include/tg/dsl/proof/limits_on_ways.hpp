// Limits of sums on the ways to instructions, remembered.
//
// A kernel asks about few sums on many ways: accesses side by side ask about sums that differ in their base alone, and a
// way into a branch has all conditions of the way to the branch. So what was found is kept per way without the base, and
// what holds on a way holds on each longer one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/path.hpp>

namespace tg::proof {

/// Answers whether sums keep to limits on ways. Symbols and conditions may be added between questions.
class limits_on_ways {
 public:
  limits_on_ways(const symbols& s, const conditions& c) : symbols_(s), conditions_(c) {}

  /// Whether the conditions on `way` prove that `f` never exceeds `most`.
  bool keeps_to(const form& f, number most, const path& way) {
    if (f.is_broken) return false;
    const form sum{f.terms, 0, f.lanes};
    const number own = most - f.base;
    const std::shared_ptr<known_way> here = known(way);
    for (known_way* w = here.get(); w != nullptr; w = w->shorter.get())
      if (const searched_sum* last = w->find(sum); last != nullptr && last->limit <= own) return true;
    for (form& fact : facts_of_grid(symbols_))
      if (here->facts.know_once(std::move(fact))) here->searched.clear();
    searched_sum* last = here->find(sum);
    if (last == nullptr) {
      if (here->searched.size() == most_sums) here->searched.pop_front();
      last = &here->searched.emplace_back(searched_sum{sum});
    }
    if (own <= last->not_found) return false;
    const number limit = here->facts.limit_within({sum, {}}, own);
    (limit <= own ? last->limit : last->not_found) = limit <= own ? limit : own;
    return limit <= own;
  }

 private:
  static constexpr std::size_t most_sums = 32, most_ways = 16;

  // A sum that keeps to `limit`, where a search for a limit of `not_found` or less was in vain.
  struct searched_sum {
    form sum;
    number limit = unbounded, not_found = -unbounded;
  };

  struct known_way {
    std::shared_ptr<const dynamic_array<literal>> literals;
    threads may;
    limits facts;
    std::shared_ptr<known_way> shorter = nullptr;  // what holds there holds here
    std::deque<searched_sum> searched = {};        // the last few

    searched_sum* find(const form& sum) {
      const auto own = std::find_if(searched.begin(), searched.end(), [&](const searched_sum& s) { return s.sum == sum; });
      return own == searched.end() ? nullptr : &*own;
    }
  };

  // What is known on the way; the way that was asked for last stands last.
  std::shared_ptr<known_way> known(const path& way) {
    const auto is_here = [&](const std::shared_ptr<known_way>& k) {
      return k->may == way.may && k->literals->size() == way.literals->size() && begins_with(*way.literals, *k->literals);
    };
    if (const auto own = std::find_if(ways_.rbegin(), ways_.rend(), is_here); own != ways_.rend()) {
      std::rotate(own.base() - 1, own.base(), ways_.end());
      return ways_.back();
    }
    if (ways_.size() == most_ways) ways_.pop_front();
    auto out = std::make_shared<known_way>(known_way{way.literals, way.may, limits(symbols_, way.may, threads{})});
    for (form& fact : way.facts(conditions_)) out->facts.know(std::move(fact));
    std::size_t longest = 0;
    for (const std::shared_ptr<known_way>& k : ways_)
      if ((way.may & ~k->may).none() && k->literals->size() >= longest && begins_with(*way.literals, *k->literals)) {
        longest = k->literals->size();
        out->shorter = k;
      }
    ways_.push_back(out);
    return out;
  }

  const symbols& symbols_;
  const conditions& conditions_;
  std::deque<std::shared_ptr<known_way>> ways_;
};

}  // namespace tg::proof
