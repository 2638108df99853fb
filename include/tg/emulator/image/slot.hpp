// A place that holds one value per thread.
#pragma once

#include <cstdint>

namespace tg::emulator {

/// The number of a slot that is none.
inline constexpr std::uint32_t no_slot = 0xffffffff;

/// `index` counts 4-byte units per thread.
struct slot_ref {
  std::uint32_t index = no_slot;
  std::uint8_t bytes = 4;
  friend bool operator==(const slot_ref&, const slot_ref&) = default;
};

}  // namespace tg::emulator
