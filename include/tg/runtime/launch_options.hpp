// What a launch may ask for beyond its grid.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/base/fixed_array.hpp>

namespace tg {

/// Options of a launch. Written as words behind its extent: `tg::grid(8).cluster(2).cooperative()`.
struct launch_options {
  fixed_array<std::uint32_t, 3> cluster{};  // blocks; zeros: as the kernel says
  std::size_t shared_bytes = 0;             // of a block, beside what the kernel declares
  int carve_out_percent = -1;               // of the first-level cache for shared memory; -1: as the driver likes
  int priority = 0;                         // where has_priority
  bool has_priority = false;                // else: that of the stream
  bool is_cooperative = false;              // all blocks run at once and may wait for each other
  bool overlaps_previous = false;           // begins before the launch before it has ended

  bool operator==(const launch_options&) const = default;
};

}  // namespace tg
