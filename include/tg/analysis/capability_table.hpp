// What a multiprocessor of each compute capability holds.
#pragma once

#include <cstdint>

#include <tg/analysis/launch_limits.hpp>

namespace tg::analysis {

/// What one multiprocessor holds, and in what pieces it gives it to blocks.
struct multiprocessor {
  int threads = 0;
  int blocks = 0;
  int registers = 65536;
  std::int64_t shared_bytes = 0;
  std::int64_t shared_opt_in_bytes = 0;       ///< the most that one block may ask for
  std::int64_t shared_reserved_bytes = 1024;  ///< of each block, for the system
  std::int64_t shared_piece_bytes = 128;
  int barriers = 64;  ///< named barriers of all its blocks; 0: no limit is known

  friend constexpr bool operator==(const multiprocessor&, const multiprocessor&) = default;
};

/// One compute capability: 90 is 9.0.
struct capability_figures {
  int sm = 0;
  analysis::multiprocessor multiprocessor;
};

/// Source: CUDA C++ Programming Guide 12.9 (7.0, 7.5) and 13.0, "Technical Specifications per Compute Capability"; pieces
/// and barriers: cuda_occupancy.h of CUDA 13.0.
inline constexpr capability_figures capability_table[] = {
    {70, {2048, 32, 65536, 96 << 10, 96 << 10, 0, 256, 0}},
    {75, {1024, 16, 65536, 64 << 10, 64 << 10, 0, 256, 0}},
    {80, {2048, 32, 65536, 164 << 10, 163 << 10, 1024, 128, 0}},
    {86, {1536, 16, 65536, 100 << 10, 99 << 10, 1024, 128, 0}},
    {87, {1536, 16, 65536, 164 << 10, 163 << 10, 1024, 128, 0}},
    {89, {1536, 24, 65536, 100 << 10, 99 << 10, 1024, 128, 0}},
    {90, {2048, 32, 65536, 228 << 10, 227 << 10, 1024, 128, 64}},
    {100, {2048, 32, 65536, 228 << 10, 227 << 10, 1024, 128, 64}},
    {103, {2048, 32, 65536, 228 << 10, 227 << 10, 1024, 128, 64}},
    {110, {1536, 24, 65536, 228 << 10, 227 << 10, 1024, 128, 24}},
    {120, {1536, 24, 65536, 100 << 10, 99 << 10, 1024, 128, 24}},
    {121, {1536, 24, 65536, 100 << 10, 99 << 10, 1024, 128, 24}},
};

/// The most shared memory that a block has on any GPU of the table, in bytes.
inline constexpr std::int64_t most_shared_bytes = [] {
  std::int64_t out = 0;
  for (const capability_figures& c : capability_table)
    if (c.multiprocessor.shared_opt_in_bytes > out) out = c.multiprocessor.shared_opt_in_bytes;
  return out;
}();

/// The multiprocessor of sm_`sm`, or of the newest capability before it; of the oldest where there is none.
constexpr multiprocessor multiprocessor_of(int sm) {
  multiprocessor out = capability_table[0].multiprocessor;
  for (const capability_figures& c : capability_table)
    if (c.sm <= sm) out = c.multiprocessor;
  return out;
}

}  // namespace tg::analysis
