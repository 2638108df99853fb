// How many blocks of a kernel share one multiprocessor, what keeps more of them out, and how many registers and bytes of
// shared memory are left to blocks that are to share one.
//
// Registers are given to warps in pieces of 256, and a warp takes all of its own from one of four partitions; shared
// memory is given to blocks in pieces of 128 or 256 bytes, with 1 KB for the system from sm_80 on.
// Source: cuda_occupancy.h of CUDA 13.0, which the tests compare where it is there.
#pragma once

#include <initializer_list>

#include <tg/analysis/capability_table.hpp>
#include <tg/analysis/warp.hpp>
#include <tg/base/limits.hpp>

namespace tg::analysis {

/// What one block asks for.
struct block_demand {
  int threads = 0;
  int registers = 0;              ///< of each thread
  std::int64_t shared_bytes = 0;  ///< static and dynamic
  int barriers = 1;               ///< named barriers that it uses
};

/// What runs out first. `impossible`: not even one block fits.
enum class limiter { threads, blocks, registers, shared_memory, barriers, impossible };

/// Blocks that each limit lets in, and the least of them.
struct occupancy {
  int by_threads = 0;
  int by_blocks = 0;
  int by_registers = 0;
  int by_shared_memory = 0;
  int by_barriers = 0;
  int blocks = 0;
  int warps = 0;      ///< resident
  int max_warps = 0;  ///< that the multiprocessor has room for
  analysis::limiter limiter = limiter::impossible;

  constexpr double fraction() const { return max_warps == 0 ? 0 : static_cast<double>(warps) / max_warps; }
  friend constexpr bool operator==(const occupancy&, const occupancy&) = default;
};

namespace detail {

inline constexpr int register_piece = 256;
inline constexpr int register_partitions = 4;
inline constexpr int unlimited = tg::detail::largest_integer<int>;

// std::min would need <algorithm>, which takes as long to compile as the analysis.
constexpr int least(std::initializer_list<int> numbers) {
  int out = unlimited;
  for (const int n : numbers) out = n < out ? n : out;
  return out;
}

constexpr std::int64_t round_up(std::int64_t n, std::int64_t piece) { return (n + piece - 1) / piece * piece; }

constexpr int blocks_by_registers(const multiprocessor& m, int warps, int registers) {
  if (registers <= 0) return unlimited;
  if (registers > max_thread_registers) return 0;
  const int per_warp = static_cast<int>(round_up(registers * warp_lanes, register_piece));
  // The launch is refused as if each partition held as many warps as the fullest one.
  if (per_warp * round_up(warps, register_partitions) > m.registers) return 0;
  return m.registers / register_partitions / per_warp * register_partitions / warps;
}

constexpr std::int64_t shared_of_block(const multiprocessor& m, std::int64_t bytes) {
  return round_up(bytes + m.shared_reserved_bytes, m.shared_piece_bytes);
}

constexpr int blocks_by_shared_memory(const multiprocessor& m, std::int64_t bytes) {
  const std::int64_t own = shared_of_block(m, bytes);
  if (own > m.shared_opt_in_bytes + m.shared_reserved_bytes) return 0;
  return own == 0 ? unlimited : static_cast<int>(m.shared_bytes / own);
}

}  // namespace detail

/// Requires: `d.threads` > 0. A kernel without registers, shared memory or barriers is not limited by them.
constexpr occupancy find_occupancy(const multiprocessor& m, const block_demand& d) {
  const int warps = (d.threads + warp_lanes - 1) / warp_lanes;
  occupancy out;
  out.max_warps = m.threads / warp_lanes;
  out.by_threads = d.threads > max_block_threads ? 0 : out.max_warps / warps;
  out.by_blocks = m.blocks;
  out.by_registers = detail::blocks_by_registers(m, warps, d.registers);
  out.by_shared_memory = detail::blocks_by_shared_memory(m, d.shared_bytes);
  out.by_barriers = d.barriers <= 0 || m.barriers == 0 ? detail::unlimited : m.barriers / d.barriers;
  out.blocks = detail::least({out.by_threads, out.by_blocks, out.by_registers, out.by_shared_memory, out.by_barriers});
  out.warps = out.blocks * warps;
  if (out.blocks == 0) out.limiter = limiter::impossible;
  else if (out.blocks == out.by_threads) out.limiter = limiter::threads;
  else if (out.blocks == out.by_registers) out.limiter = limiter::registers;
  else if (out.blocks == out.by_shared_memory) out.limiter = limiter::shared_memory;
  else if (out.blocks == out.by_blocks) out.limiter = limiter::blocks;
  else out.limiter = limiter::barriers;
  return out;
}

/// Most registers per thread with which `blocks` blocks of `threads` threads fit beside each other; 0: not with any.
constexpr int registers_for(const multiprocessor& m, int threads, int blocks) {
  for (int r = max_thread_registers; r > 0; --r)
    if (find_occupancy(m, {threads, r, 0}).blocks >= blocks) return r;
  return 0;
}

/// Most registers per thread that ptxas gives a kernel: as many as `.maxnreg` says, else as many as leave room for the
/// blocks that `.minnctapersm` asks for, of the threads that `.maxntid` or `.reqntid` allows. 0: without the directive.
constexpr int register_cap(const multiprocessor& m, int threads, int min_blocks, int max_registers) {
  if (max_registers > 0) return max_registers;
  if (threads <= 0 || threads > max_block_threads) return max_thread_registers;
  const int together = registers_for(m, threads, min_blocks > 1 ? min_blocks : 1);
  return together > 0 ? together : registers_for(m, threads, 1);
}

/// Most bytes of dynamic shared memory with which `blocks` blocks that have `static_bytes` fit beside each other, as far as
/// shared memory goes. Requires: blocks > 0; without dynamic shared memory they fit.
constexpr std::int64_t dynamic_shared_for(const multiprocessor& m, std::int64_t static_bytes, int blocks) {
  const std::int64_t each = m.shared_bytes / blocks / m.shared_piece_bytes * m.shared_piece_bytes - m.shared_reserved_bytes;
  return (each < m.shared_opt_in_bytes ? each : m.shared_opt_in_bytes) - static_bytes;
}

}  // namespace tg::analysis
