// How a kernel is launched: extents, checks, limits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tg::emulator {

/// Extents of a launch.
struct launch_shape {
  struct extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  };
  extent grid;   // blocks
  extent block;  // threads
  std::size_t dynamic_shared_bytes = 0;
};

/// How to run.
struct options {
  bool bounds = true;    // accesses outside allocations and variables
  bool align = true;     // misaligned accesses
  unsigned threads = 0;  // host threads; 0: one per core; 1: atomics between blocks happen in a fixed order
  std::uint64_t watchdog_instructions = std::uint64_t{1} << 30;  // warp instructions without a block ending; 0: never
  std::uint64_t seed = 0;  // of the order in which warps at different instructions run; 0: earliest instruction first
  unsigned resident_blocks = 64;  // per host thread, for blocks that wait for each other
};

}  // namespace tg::emulator
