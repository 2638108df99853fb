// How a kernel is launched: extents, checks, limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/launch/finding.hpp>

namespace tg::emulator {

namespace check { class touched_bytes; }

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
  extent cluster{};          // blocks; 1: as the kernel says
  bool cooperative = false;  // all blocks are resident, so that they may wait for each other
  unsigned device = 0;       // whose memory the kernel uses; memory that is not permitted to it is out of bounds
};

/// Where text goes that a kernel writes; it comes when the launch ends, block after block.
using text_sink = std::function<void(std::string_view)>;

/// How to run.
struct options {
  check::checkers check;
  dynamic_array<check::finding>* findings = nullptr;  // what the checkers find is added here, besides being thrown
  check::touched_bytes* touched = nullptr;  // what a launch did to global memory is added here, where races are looked for
  unsigned threads = 0;                     // host threads; 0: one per core; 1: atomics between blocks happen in a fixed order
  std::uint64_t watchdog_instructions = std::uint64_t{1} << 30;  // warp instructions without a block ending; 0: never
  // Decides the order in which blocks start and warps at different instructions run; 0: the lowest block and the earliest
  // instruction first.
  std::uint64_t seed = 0;
  // Compute once what is the same, or evenly spaced, in all threads of a block; blocks that cannot tell run as one with
  // their neighbours, and of their faults the one that comes first is reported.
  bool patterns = true;
  unsigned resident_blocks = 64;  // per host thread, for blocks that wait for each other
  // Where a launch is counted: traffic between memory and a cache of that many bytes, which all blocks share, is counted too.
  // One host thread runs `resident_blocks` blocks in turns, as a GPU has many blocks at once. 0: traffic is not counted.
  std::size_t cache_bytes = 0;
  std::size_t stack_bytes = std::size_t{64} << 10;  // per thread, of recursive functions and alloca
  std::size_t heap_bytes = std::size_t{8} << 20;    // for malloc in kernels; what the first launch that needs it says
  text_sink on_printf{};                            // empty: standard output
  text_sink on_assert{};                            // empty: standard error
};

}  // namespace tg::emulator
