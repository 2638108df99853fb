// Searches for an element that two arrays share.
#pragma once

#include <tg/array/overlap.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <tg/base/config.hpp>

namespace tg::detail {

/// One index of one of the arrays: 0 to `most`, each step moves by `bytes`.
struct overlap_step { std::int64_t bytes, most; };

/// Whether steps can be chosen whose moves add up to a number in [low, high]. All moves are positive, the largest first.
class overlap_search {
 public:
  explicit overlap_search(const std::vector<overlap_step>& steps)
      : steps_(steps), reach_(steps.size() + 1, 0), common_(steps.size() + 1, 0) {
    for (std::size_t k = steps.size(); k-- > 0;) {
      reach_[k] = reach_[k + 1] + steps[k].bytes * steps[k].most;
      common_[k] = std::gcd(common_[k + 1], steps[k].bytes);
    }
  }

  bool operator()(std::int64_t low, std::int64_t high, std::size_t k = 0) {
    if (high < 0 || low > reach_[k]) return false;
    if (low <= 0) return true;  // no more moves
    if (k == steps_.size() || high - high % common_[k] < low) return false;
    if (--left_ < 0) return true;
    const auto& [bytes, most] = steps_[k];
    // What the smaller moves cannot reach, this one must make up for.
    const std::int64_t least = std::max<std::int64_t>(0, (low - reach_[k + 1] + bytes - 1) / bytes);
    const std::int64_t last = std::min(most, high / bytes);
    for (std::int64_t n = last; n >= least; --n)
      if ((*this)(low - n * bytes, high - n * bytes, k + 1)) return true;
    return false;
  }

 private:
  const std::vector<overlap_step>& steps_;
  std::vector<std::int64_t> reach_;   // what the moves from each on add up to at most
  std::vector<std::int64_t> common_;  // what divides all of these
  int left_ = 20000;
};

/// Makes one step of those that move equally far. The largest comes first.
inline void join_equal_steps(std::vector<overlap_step>& steps) {
  std::sort(steps.begin(), steps.end(), [](const auto& x, const auto& y) { return x.bytes > y.bytes; });
  std::size_t count = 0;
  for (const overlap_step& own : steps)
    if (count > 0 && steps[count - 1].bytes == own.bytes) steps[count - 1].most += own.most;
    else steps[count++] = own;
  steps.resize(count);
}

/// Adds the steps of an array; a step down is a step up from further below. Returns: how far its lowest element is below its
/// first.
inline std::int64_t add_steps(std::vector<overlap_step>& steps, const array_place& place, int bytes, bool is_reversed) {
  std::int64_t below = 0;
  for (int k = 0; k < place.rank; ++k) {
    const std::int64_t step = place.strides[k] * bytes, most = place.extents[k] - 1;
    if (step == 0 || most == 0) continue;
    const bool is_down = (step < 0) != is_reversed;
    steps.push_back({std::abs(step), most});
    if (is_down) below += std::abs(step) * most;
  }
  return below;
}

TG_LIBRARY_FUNCTION bool share_elements(const array_place& a, int a_bytes, const array_place& b, int b_bytes) {
  for (const array_place* p : {&a, &b})
    for (int k = 0; k < p->rank; ++k)
      if (p->extents[k] == 0) return false;
  // The elements begin at a + moves of a and b + moves of b. They share a byte where the moves of a, less those of b, are
  // within a_bytes below and b_bytes above b - a.
  std::vector<overlap_step> steps;
  const std::int64_t below = add_steps(steps, a, a_bytes, false) + add_steps(steps, b, b_bytes, true);
  join_equal_steps(steps);
  const std::int64_t apart = static_cast<std::int64_t>(b.address - a.address) + below;
  return overlap_search(steps)(apart - a_bytes + 1, apart + b_bytes - 1);
}

}  // namespace tg::detail
