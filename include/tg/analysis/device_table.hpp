// What the GPUs of the market hold and reach, by their makers' figures.
//
// Units: clocks in MHz, bandwidth in GB/s, peaks in TFLOP/s (of s8 in TOP/s), dense, with 32-bit sums; 0: the part has no
// such unit. They are bounds on paper: a measured copy or matrix product in their place gives the roofline of a real part.
#pragma once

#include <array>
#include <string_view>

#include <tg/analysis/capability_table.hpp>

namespace tg::analysis {

/// Peaks of the tensor cores by the type of their factors.
struct tensor_peaks { double f64 = 0, tf32 = 0, f16 = 0, bf16 = 0, f8 = 0, s8 = 0; };

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
/// The GPUs whose peaks are known, by name.
// clang-format off
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
// clang-format on

/// The row of that name; null when there is none.
constexpr const device_figures* find_device(std::string_view name) {
  for (const device_figures& d : device_table)
    if (d.name == name) return &d;
  return nullptr;
}

/// The row of a device by the name that a driver gives it ("NVIDIA H100 80GB HBM3") and its architecture: the longest name
/// of a row that the device's has, else the first row of the architecture, else the last of an older one.
constexpr const device_figures& figures_for(std::string_view device, int sm) {
  const device_figures* found = nullptr;
  for (const device_figures& d : device_table)
    if (device.find(d.name) != device.npos && (found == nullptr || d.name.size() > found->name.size())) found = &d;
  if (found != nullptr) return *found;
  for (const device_figures& d : device_table)
    if (d.sm <= sm && (found == nullptr || d.sm > found->sm)) found = &d;
  return found != nullptr ? *found : device_table.front();
}

}  // namespace tg::analysis
