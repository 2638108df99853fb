// What lanes that wait for an mbarrier wait for, in words.
#pragma once

#include <bit>
#include <cstring>
#include <string>

#include <tg/emulator/block/block.hpp>
#include <tg/emulator/image/mbarrier.hpp>

namespace tg::emulator {

/// " for the mbarrier at shared address 16: 1 of 4 arrivals and 128 bytes are missing".
inline std::string waited_mbarrier(const block& b, std::uint32_t warp, const warp_part& p) {
  const machine& m = b.the_machine();
  const operation& o = m.image.code[p.pc];
  const async_use& use = m.image.async_uses[o.detail];
  const std::size_t slot = o.slot_count - 1u;
  std::uint64_t address = 0;
  std::memcpy(&address, b.slot(o, slot, warp) + static_cast<std::size_t>(std::countr_zero(p.lanes)) * o.slot_bytes[slot],
              o.slot_bytes[slot]);
  address += static_cast<std::uint64_t>(m.image.accesses[use.accesses[0]].offset);
  const std::uint64_t offset = address % window_bytes;
  const std::uint64_t* const known = b.pending.find(static_cast<std::uint32_t>(offset));
  if (known == nullptr) return " for an mbarrier";
  const mbarrier state = mbarrier::unpack(*known);
  return " for the mbarrier at shared address " + std::to_string(offset) + ": " + std::to_string(state.pending) + " of " +
         std::to_string(state.expected) + " arrivals and " + std::to_string(state.transactions) + " bytes are missing";
}

}  // namespace tg::emulator
