// Runs a kernel of a loaded program over a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tg/emulator/counters.hpp>
#include <tg/emulator/program.hpp>

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
  bool bounds = true;  // accesses outside allocations and variables
  bool align = true;   // misaligned accesses
  unsigned threads = 0;  // host threads; 0: one per core; 1: atomics between blocks happen in a fixed order
  std::uint64_t watchdog_instructions = std::uint64_t{1} << 30;  // warp instructions without a block ending; 0: never
  std::uint64_t seed = 0;  // of the order in which warps at different instructions run; 0: earliest instruction first
  unsigned resident_blocks = 64;  // per host thread, for blocks that wait for each other
};

/// Runs kernel `kernel_index` to its end. `params` is laid out as `kernel_info::parameters` says. Adds to `*counted` when
/// given.
/// Errors: TG402–TG419 for accesses, TG420–TG429 for synchronisation, TG430–TG439 for the launch itself.
void run(memory& memory, const program& program, std::size_t kernel_index, const launch_shape& shape,
         std::span<const std::byte> params, const options& options = {}, counters* counted = nullptr);

}  // namespace tg::emulator
