// Runs an operation that only looks at its slots, for the lanes of a group: whole warps at once, others aside.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/emulator/block/block.hpp>
#include <tg/emulator/image/floating_mode.hpp>

namespace tg::emulator::detail {

/// Computes all lanes aside, then takes over those that take part.
inline void dispatch_masked(const lane_code& lanes, block& b, const operation& o, const lane_group::run& run,
                            std::byte** slots) {
  const std::uint32_t* mask = b.group.mask.data() + std::size_t{run.first_warp} * 32;
  if (o.guard != no_slot) {
    const auto* guard = reinterpret_cast<const std::uint32_t*>(b.slot(o.guard, 4, run.first_warp));
    const std::uint32_t flip = o.guard_negated ? ~0u : 0u;
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < std::size_t{run.warps} * 32; ++i) {
      b.guard_mask[i] = (run.is_masked ? mask[i] : ~0u) & (guard[i] ^ flip);
      any |= b.guard_mask[i];
    }
    if (any == 0) return;
    mask = b.guard_mask.data();
  }
  std::byte* results[2] = {};
  for (std::size_t k = 0; k < o.result_count; ++k) {
    results[k] = slots[k];
    slots[k] = b.scratch.data() + k * block::scratch_bytes;
  }
  o.run(slots, run.warps);
  for (std::size_t k = 0; k < o.result_count; ++k) lanes.blend(results[k], slots[k], mask, run.warps, o.slot_bytes[k]);
}

/// Runs it in the floating-point mode that is set.
inline void dispatch(const lane_code& lanes, block& b, const operation& o) {
  const std::size_t stride = b.stride();
  std::byte* const frame = b.frame();
  std::byte* slots[operation::max_slots];
  for (std::uint32_t r = 0; r < b.group.run_count; ++r) {
    const lane_group::run& run = b.group.runs[r];
    const std::size_t first_lane = std::size_t{run.first_warp} * 32;
    for (std::size_t k = 0; k < o.slot_count; ++k) slots[k] = frame + o.slots[k] * stride + first_lane * o.slot_bytes[k];
    if (!run.is_masked && o.guard == no_slot) o.run(slots, run.warps);
    else dispatch_masked(lanes, b, o, run, slots);
  }
}

/// Runs it. Requires: the group's lanes of its slots are in the frame.
inline void run_lanes(const lane_code& lanes, block& b, const operation& o) {
  if (o.mode != 0) {
    const floating_mode scope(o.mode);
    dispatch(lanes, b, o);
  } else {
    dispatch(lanes, b, o);
  }
}

}  // namespace tg::emulator::detail
