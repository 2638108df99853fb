// What the GPUs of the market hold and reach, by their makers' figures.
//
// Units: clocks in MHz, bandwidth in GB/s, peaks in TFLOP/s (of s8 in TOP/s), dense, with 32-bit sums; 0: the part has no
// such unit. They are bounds on paper: a measured copy or matrix product in their place gives the roofline of a real part.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace tg::analysis {

/// What one multiprocessor holds, and in what pieces it gives it to blocks.
struct multiprocessor {
  int threads = 0;
  int blocks = 0;
  int registers = 65536;
  std::int64_t shared_bytes = 0;
  std::int64_t shared_opt_in_bytes = 0;     ///< the most that one block may ask for
  std::int64_t shared_reserved_bytes = 1024;  ///< of each block, for the system
  std::int64_t shared_piece_bytes = 128;
  int barriers = 64;  ///< named barriers of all its blocks; 0: no limit is known

  friend constexpr bool operator==(const multiprocessor&, const multiprocessor&) = default;
};

/// Most threads of a block and registers of a thread. Source: CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability"; the same for all parts below.
inline constexpr int max_block_threads = 1024;
inline constexpr int max_thread_registers = 255;

/// One compute capability: 90 is 9.0.
struct capability_figures {
  int sm = 0;
  analysis::multiprocessor multiprocessor;
};

/// Source: CUDA C++ Programming Guide 12.9 (7.0, 7.5) and 13.0, "Technical Specifications per Compute Capability"; pieces
/// and barriers: cuda_occupancy.h of CUDA 13.0.
inline constexpr auto capability_table = std::to_array<capability_figures>({
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
});

/// The most shared memory that a block has on any GPU of the table, in bytes.
inline constexpr std::int64_t most_shared_bytes = [] {
  std::int64_t out = 0;
  for (const capability_figures& c : capability_table) out = std::max(out, c.multiprocessor.shared_opt_in_bytes);
  return out;
}();

/// The multiprocessor of sm_`sm`, or of the newest capability before it; of the oldest where there is none.
constexpr multiprocessor multiprocessor_of(int sm) {
  multiprocessor out = capability_table.front().multiprocessor;
  for (const capability_figures& c : capability_table)
    if (c.sm <= sm) out = c.multiprocessor;
  return out;
}

/// Peaks of the tensor cores by the type of their factors.
struct tensor_peaks {
  double f64 = 0, tf32 = 0, f16 = 0, bf16 = 0, f8 = 0, s8 = 0;
};

/// One GPU.
struct device_figures {
  std::string_view name;
  int sm = 0;
  int multiprocessors = 0;
  analysis::multiprocessor multiprocessor;
  int boost_mhz = 0;
  double memory_gb_per_s = 0;
  double f32_tflops = 0;
  double f64_tflops = 0;
  tensor_peaks tensor;
  std::string_view source;
};

/// Source: the document that each row names.
inline constexpr auto device_table = std::to_array<device_figures>({
    {"A100", 80, 108, multiprocessor_of(80), 1410, 2039, 19.5, 9.7, {19.5, 156, 312, 312, 0, 624},
     "NVIDIA A100 80GB (SXM) datasheet; NVIDIA A100 Tensor Core GPU Architecture whitepaper"},
    {"H100", 90, 132, multiprocessor_of(90), 1980, 3350, 66.9, 33.5, {66.9, 494.7, 989.4, 989.4, 1978.9, 1978.9},
     "NVIDIA H100 (SXM5) datasheet; NVIDIA H100 Tensor Core GPU Architecture whitepaper"},
    {"H200", 90, 132, multiprocessor_of(90), 1980, 4800, 66.9, 33.5, {66.9, 494.7, 989.4, 989.4, 1978.9, 1978.9},
     "NVIDIA H200 (SXM) datasheet; arithmetic as of the H100"},
    {"L40S", 89, 142, multiprocessor_of(89), 2520, 864, 91.6, 1.4, {0, 183, 362, 362, 733, 733},
     "NVIDIA L40S datasheet"},
    {"RTX 4090", 89, 128, multiprocessor_of(89), 2520, 1008, 82.6, 1.3, {0, 82.6, 165.2, 165.2, 330.3, 660.6},
     "NVIDIA Ada GPU Architecture whitepaper, appendix A"},
    {"B200", 100, 148, multiprocessor_of(100), 1965, 8000, 74.4, 37.2, {37.2, 1100, 2250, 2250, 4500, 4500},
     "NVIDIA DGX B200 and Blackwell datasheets, 1000 W; f32 and f64 from 128 and 64 lanes of each multiprocessor at the clock"},
    {"RTX 5090", 120, 170, multiprocessor_of(120), 2407, 1792, 104.8, 1.6, {0, 104.8, 209.5, 209.5, 419, 838},
     "NVIDIA RTX Blackwell GPU Architecture whitepaper, appendix A"},
});

/// The row of that name; null when there is none.
constexpr const device_figures* find_device(std::string_view name) {
  for (const device_figures& d : device_table)
    if (d.name == name) return &d;
  return nullptr;
}

}  // namespace tg::analysis
