// How many blocks of a kernel share one multiprocessor, and what keeps more of them out.
//
// Registers are given to warps in pieces of 256, and a warp takes all of its own from one of four partitions; shared
// memory is given to blocks in pieces of 128 bytes, 1 KB of it to the system.
// Source: cuda_occupancy.h of CUDA 13.0, which the tests compare where it is there.
#pragma once

#include <algorithm>

#include <tg/analysis/device_table.hpp>

namespace tg::analysis {

/// What one block asks for.
struct block_demand {
  int threads = 0;
  int registers = 0;  ///< of each thread
  std::int64_t shared_bytes = 0;
};

/// What runs out first. `impossible`: not even one block fits.
enum class limiter { threads, blocks, registers, shared_memory, impossible };

/// Blocks that each limit lets in, and the least of them.
struct occupancy {
  int by_threads = 0;
  int by_blocks = 0;
  int by_registers = 0;
  int by_shared_memory = 0;
  int blocks = 0;
  int warps = 0;      ///< resident
  int max_warps = 0;  ///< that the multiprocessor has room for
  analysis::limiter limiter = limiter::impossible;

  constexpr double fraction() const { return max_warps == 0 ? 0 : static_cast<double>(warps) / max_warps; }
  friend constexpr bool operator==(const occupancy&, const occupancy&) = default;
};

namespace detail {

inline constexpr int warp_threads = 32;
inline constexpr int register_piece = 256;
inline constexpr int register_partitions = 4;
inline constexpr std::int64_t shared_piece_bytes = 128;
inline constexpr std::int64_t shared_reserved_bytes = 1024;

constexpr std::int64_t round_up(std::int64_t n, std::int64_t piece) { return (n + piece - 1) / piece * piece; }

constexpr int blocks_by_registers(const multiprocessor& m, int warps, int registers) {
  if (registers > max_thread_registers) return 0;
  const int per_warp = static_cast<int>(round_up(std::max(registers, 1) * warp_threads, register_piece));
  // The launch is refused as if each partition held as many warps as the fullest one.
  if (per_warp * round_up(warps, register_partitions) > m.registers) return 0;
  return m.registers / register_partitions / per_warp * register_partitions / warps;
}

}  // namespace detail

/// Requires: `d.threads` > 0.
constexpr occupancy find_occupancy(const multiprocessor& m, const block_demand& d) {
  const int warps = (d.threads + detail::warp_threads - 1) / detail::warp_threads;
  const std::int64_t shared = detail::round_up(d.shared_bytes + detail::shared_reserved_bytes, detail::shared_piece_bytes);
  occupancy out;
  out.max_warps = m.threads / detail::warp_threads;
  out.by_threads = d.threads > max_block_threads ? 0 : out.max_warps / warps;
  out.by_blocks = m.blocks;
  out.by_registers = detail::blocks_by_registers(m, warps, d.registers);
  out.by_shared_memory = d.shared_bytes > m.shared_opt_in_bytes ? 0 : static_cast<int>(m.shared_bytes / shared);
  out.blocks = std::min({out.by_threads, out.by_blocks, out.by_registers, out.by_shared_memory});
  out.warps = out.blocks * warps;
  if (out.blocks == 0) out.limiter = limiter::impossible;
  else if (out.blocks == out.by_threads) out.limiter = limiter::threads;
  else if (out.blocks == out.by_registers) out.limiter = limiter::registers;
  else if (out.blocks == out.by_shared_memory) out.limiter = limiter::shared_memory;
  else out.limiter = limiter::blocks;
  return out;
}

/// Most registers per thread with which `blocks` blocks of `threads` threads fit beside each other; 0: not with any.
constexpr int registers_for(const multiprocessor& m, int threads, int blocks) {
  for (int r = max_thread_registers; r > 0; --r)
    if (find_occupancy(m, {threads, r, 0}).blocks >= blocks) return r;
  return 0;
}

}  // namespace tg::analysis
