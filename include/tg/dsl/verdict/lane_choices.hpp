// The points at which an index has several patterns, and what is chosen at each: a division that may fall at several lanes, a
// selection, a variable that is one of several. Which points there are depends on what was chosen before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/analysis/division_cases.hpp>
#include <tg/analysis/lane_value.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/operand.hpp>

namespace tg::detail {

/// What was found of an index.
struct lane_findings {
  bool is_known = true;
  bool has_small = false;         // a divisor may be smaller than a warp
  bool may_divide_small = false;  // and the cases do not speak of it
  ptx::operand unknown = {};      // what the lanes of which are not known
};

/// Why an index has several patterns.
enum class lane_point_kind : std::uint8_t { division, selection, variable };

/// One place of the record at which an index has several patterns, one of which is chosen.
struct lane_point {
  lane_point_kind kind = lane_point_kind::division;
  std::uint32_t a = 0, b = 0;  // registers that tell one point from another
  int chosen = 0, count = 0;
  bool is_per_lane = false;
  analysis::division_cases cases = {analysis::unknown(), analysis::unknown(), analysis::division_rule::floor_};
  std::optional<analysis::lane_mask> lanes = {};  // of a selection of which each lane's choice is known: those of the first
  bool is_small = false;                          // of a division: the divisor may be small
};

/// One choice at each point that was met, in the order in which they were met.
class lane_choices {
 public:
  void clear() { points_.clear(); }
  std::size_t size() const { return points_.size(); }

  /// A point that is met for the first time, with its first choice. Valid until the next is added.
  lane_point* add(lane_point p) {
    points_.push_back(std::move(p));
    return &points_.back();
  }

  /// The choices of the points that lanes make for themselves, a digit from 1 on for each: which points there are depends on
  /// what was chosen before.
  std::uint32_t choice() const {
    std::uint32_t out = 0;
    for (const lane_point& p : points_)
      if (p.is_per_lane) out = out * 16 + static_cast<std::uint32_t>(p.chosen) + 1;
    return out;
  }

  /// The lanes that can have made these choices. What a small divisor leaves of all lanes costs no more than the cases say, but
  /// what it leaves of some may.
  analysis::lane_mask chosen_by() const {
    analysis::lane_mask out = analysis::all_lanes;
    bool has_small = false;
    for (const lane_point& p : points_) {
      if (p.lanes) out &= p.chosen == 0 ? *p.lanes : ~*p.lanes;
      has_small = has_small || p.is_small;
    }
    return has_small && out != 0 ? analysis::all_lanes : out;
  }

  /// Goes on to the next choice of the last point that has one. Returns: whether there is one.
  bool next() {
    while (!points_.empty() && ++points_.back().chosen == points_.back().count) points_.pop_back();
    return !points_.empty();
  }

  /// The point of this kind at these registers; none: it is not met yet.
  lane_point* find(lane_point_kind kind, std::uint32_t a, std::uint32_t b) {
    for (lane_point& p : points_)
      if (p.kind == kind && p.a == a && p.b == b) return &p;
    return nullptr;
  }

  /// How many divisions break a run in two.
  int falls() const {
    return static_cast<int>(std::count_if(points_.begin(), points_.end(), [](const lane_point& p) {
      return p.kind == lane_point_kind::division && p.cases.falls(p.chosen);
    }));
  }

 private:
  dynamic_array<lane_point> points_;
};

}  // namespace tg::detail
