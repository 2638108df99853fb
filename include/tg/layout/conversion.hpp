// How a tile that is spread one way over registers, lanes and warps becomes spread another way: a linear map from where an
// element shall be to where it is.
//
//   rename     each thread has what it needs: register r takes over from register at(r, lane).reg
//   shuffle    each warp has what it needs
//   shared     warps need what others hold, or some element is held by nobody in the warp
#pragma once

#include <tg/layout/thread_layout.hpp>

namespace tg {

/// How far elements move.
enum class conversion_kind { rename, shuffle, shared };

/// Where a thread finds an element within its warp.
struct element_source {
  int reg = 0;
  int lane = 0;

  friend constexpr bool operator==(const element_source&, const element_source&) = default;
};

/// What has to be done to convert a layout.
struct conversion_plan {
  conversion_kind kind = conversion_kind::shared;
  linear_layout source;  // bits of the wanted layout to bits of the given one; within a warp
  int wanted_register_bits = 0;
  int given_register_bits = 0;
  int choices = 1;  ///< registers among which a thread chooses, by its lane and warp, for each that it wants

  friend constexpr bool operator==(const conversion_plan&, const conversion_plan&) = default;

  /// Returns: where register `r` of the wanted layout comes from. Requires: no pass through shared memory.
  constexpr element_source at(int r, int lane, int warp = 0) const {
    const auto thread = static_cast<std::uint32_t>(warp << thread_layout::lane_bits | lane);
    const std::uint32_t from = source(thread << wanted_register_bits | static_cast<std::uint32_t>(r));
    return {static_cast<int>(from & bit_mask(0, given_register_bits)),
            static_cast<int>(from >> given_register_bits & bit_mask(0, thread_layout::lane_bits))};
  }
  /// Shuffles for each thread, one for each wanted register and each register among which it chooses.
  constexpr int shuffles() const { return kind == conversion_kind::shuffle ? choices << wanted_register_bits : 0; }
};

/// Returns: how what is spread as `given` becomes spread as `wanted`. An element that several threads hold is taken from the
/// own thread where that has it. Requires: the same tile and the same warps.
constexpr conversion_plan plan_conversion(const thread_layout& given, const thread_layout& wanted) {
  constexpr int lane_bits = thread_layout::lane_bits;
  conversion_plan out{conversion_kind::shared, {}, wanted.register_bits, given.register_bits, 1};
  if (given.warp_bits != wanted.warp_bits || given.map.outputs != wanted.map.outputs) return out;
  const int own_bits = given.register_bits + lane_bits;
  const linear_layout in_warp = given.map.pick_inputs(0, own_bits);
  // What a bit of the lane or the warp moves by in both layouts stays; the rest must be found in the warp.
  linear_layout moved = wanted.map;
  for (int b = wanted.register_bits; b < moved.inputs; ++b)
    moved.bases[b] ^= given.map.bases[b - wanted.register_bits + given.register_bits];
  const auto found = moved.divide_by(in_warp);
  if (!found) return out;
  const bool is_lane_kept = found->pick_outputs(given.register_bits, lane_bits).rank() == 0;
  const linear_layout of_thread = found->pick_inputs(wanted.register_bits, moved.inputs - wanted.register_bits);
  out.choices = 1 << of_thread.pick_outputs(0, given.register_bits).rank();
  out.source = *found;
  for (int l = 0; l < lane_bits; ++l)
    out.source.bases[wanted.register_bits + l] ^= std::uint32_t{1} << (given.register_bits + l);
  out.kind = is_lane_kept && out.choices == 1 ? conversion_kind::rename : conversion_kind::shuffle;
  return out;
}

}  // namespace tg
