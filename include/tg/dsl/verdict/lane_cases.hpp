// All patterns that an index may have over the lanes of a warp, one after the other: where a warp divides by a number that is
// not known, where it selects one of two numbers, and where a variable is one of several.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/verdict/chosen_lanes.hpp>

namespace tg::detail {

/// One pattern.
struct lane_case {
  analysis::lane_value lanes;
  std::uint32_t choice = 0;  // lanes may take another choice each: a warp's request has lanes of all of them
  int falls = 0;             // how many divisions break a run in two
  analysis::lane_mask chosen_by = analysis::all_lanes;  // the lanes that can have it: conditions may be known of each lane
};

/// The number in every lane of a warp, put together from patterns that have some of the lanes each.
class joined_lanes {
 public:
  /// `active` lanes have this pattern.
  void add(analysis::lane_mask active, const lane_case& one) {
    is_known_ = is_known_ && one.falls == 0 && analysis::is_exact(one.lanes) && (seen_ & active) == 0;
    seen_ |= active;
    for (int l = 0; is_known_ && l < analysis::warp_lanes; ++l)
      if ((active >> l & 1) != 0) all_.offset[static_cast<std::size_t>(l)] = one.lanes.offset[static_cast<std::size_t>(l)];
  }

  /// Returns: what these lanes hold; null where a lane had several patterns, or none, or one that is not known.
  const analysis::lane_value* of(analysis::lane_mask active) const { return is_known_ && seen_ == active ? &all_ : nullptr; }

 private:
  analysis::lane_value all_ = analysis::constant(0);
  analysis::lane_mask seen_ = 0;
  bool is_known_ = true;
};

/// The patterns of one index in one warp. Requires: all is recorded.
class lane_cases {
 public:
  using lane_value = analysis::lane_value;

  lane_cases(tape& t, recorded_flow& flow, int warp) : lanes_(t, flow, warp) {}

  /// Calls `see(lane_case)` for each pattern of an index.
  template <class See> lane_findings operator()(const ptx::operand& index, See see) {
    return (*this)(recorded_request::at(index), see);
  }
  template <class See> lane_findings operator()(const recorded_request& request, See see) {
    lane_findings& found = lanes_.findings;
    lane_choices& choices = lanes_.choices;
    lanes_.begin(request);
    do {
      const lane_value lanes = lanes_(request);
      if (!found.is_known || !lanes.known || choices.size() > most_points || ++evaluations_ > most_evaluations) {
        found.is_known = false;
        if (found.unknown.is(ptx::operand_kind::none)) found.unknown = request.parts[0].index;
        return found;
      }
      see(lane_case{lanes, choices.choice(), choices.falls(), choices.chosen_by()});
    } while (choices.next());
    return found;
  }

  /// What the patterns were made of.
  const dynamic_array<lane_leaf>& leaves() const { return lanes_.leaves.all(); }
  /// Whether another warp's patterns were made of what is the same here, so that its cost is that of this one.
  bool is_like(const dynamic_array<lane_leaf>& other) { return lanes_.is_like(other); }

 private:
  static constexpr std::size_t most_points = 5;
  static constexpr int most_evaluations = 3000;

  chosen_lanes lanes_;
  int evaluations_ = 0;
};

}  // namespace tg::detail
