// Where the lanes of a warp stand that go on apart.
#pragma once

#include <cstdint>

#include <tg/emulator/block/block.hpp>

namespace tg::emulator::detail {

/// Where the group's lanes stand when it is left.
inline void leave_at(block& b, std::uint32_t pc) {
  b.place_warps();
  for (std::uint32_t w = 0; w < b.warp_count; ++w)
    if (b.group.lanes[w] != 0) b.warps[w].parts[b.group.part[w]].pc = pc;
}

/// Splits `lanes` off the group's part of a warp, to `pc`; the rest is at `other_pc`.
inline void split(block& b, std::uint32_t w, std::uint32_t lanes, std::uint32_t pc, std::uint32_t other_pc) {
  warp_part& part = b.warps[w].parts[b.group.part[w]];
  if (lanes == part.lanes) {
    part.pc = pc;
  } else if (lanes == 0) {
    part.pc = other_pc;
  } else {
    part.lanes &= ~lanes;
    part.pc = other_pc;
    const std::uint64_t turn = part.last_turn;
    b.warps[w].parts.push_back({pc, lanes, wait_reason::none, 0, turn});
  }
}

}  // namespace tg::emulator::detail
