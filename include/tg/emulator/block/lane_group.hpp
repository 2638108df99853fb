// Where the lanes of a block stand: at which operation, waiting for what, and which of them run together.
#pragma once

#include <array>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/block/machine.hpp>

namespace tg::emulator {

/// Why lanes do not run.
enum class wait_reason : std::uint8_t { none, barrier, members, mbarrier, cluster };

/// In warp_part::barrier of lanes that have waited long enough for an mbarrier.
inline constexpr std::uint8_t timed_out = 255;

/// Lanes of one warp at one operation.
struct warp_part {
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;
  wait_reason waits = wait_reason::none;
  std::uint8_t barrier = 0;
  std::uint64_t last_turn = 0;
};

/// The lanes of a warp that have not ended, and the parts in which they stand at different places.
struct warp_state {
  std::uint32_t live = 0;
  dynamic_array<warp_part> parts;
};

/// Arrivals at one of the 16 named barriers.
struct barrier_state {
  std::array<std::uint32_t, 32> arrived{};  // lanes per warp
  std::uint32_t full_warps = 0;             // one bit per warp all of whose lanes arrived
  std::uint32_t count = 0;                  // threads of full warps
  std::uint32_t expected = 0;               // 0: all that live
  std::uint32_t ones = 0;                   // predicates that held
  std::uint32_t zeros = 0;
  bool is_used = false;
};

/// Neighbouring lanes, and those at the same place in as many blocks as `blocks` says.
struct lane_range {
  std::uint32_t first, count;
  std::uint32_t blocks = 1;
};

/// Lanes that run the same operation together.
struct lane_group {
  struct run {
    std::uint32_t first_warp, warps;
    bool is_masked;  // some lane that lives is not of the group
  };
  std::uint32_t pc = 0;
  std::uint32_t limit = 0;        // where other lanes wait to be joined
  bool is_alone = false;          // no other lanes could run
  bool is_whole = false;          // every lane of the blocks that lives
  bool is_full = false;           // every thread of the blocks, and none has exited
  std::uint32_t range_count = 0;  // 0: not known
  std::array<lane_range, most_abreast> ranges;
  std::uint32_t warps = 0;
  std::uint32_t run_count = 0;
  std::array<run, most_warps> runs;
  std::array<std::uint32_t, most_warps> lanes{};                // per warp
  std::array<std::uint32_t, most_warps> part{};                 // index in warp_state::parts
  alignas(64) std::array<std::uint32_t, most_warps * 32> mask;  // of masked runs, 0 or ~0 per lane
};

}  // namespace tg::emulator
