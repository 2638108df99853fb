// The least time that arithmetic and memory traffic leave a kernel.
#pragma once

#include <tg/analysis/device_table.hpp>

namespace tg::analysis {

/// Peak of one kind of arithmetic and of the memory, from the table or measured.
struct roofline {
  double tflops = 0;
  double gb_per_s = 0;

  /// Operations per byte above which arithmetic is what binds.
  constexpr double ridge() const { return tflops * 1000 / gb_per_s; }
  constexpr bool is_memory_bound(double flops_per_byte) const { return flops_per_byte < ridge(); }
  /// TFLOP/s at most at this intensity.
  constexpr double attainable_tflops(double flops_per_byte) const {
    return is_memory_bound(flops_per_byte) ? flops_per_byte * gb_per_s / 1000 : tflops;
  }
  /// Microseconds at least for this work.
  constexpr double least_us(double flops, double bytes) const {
    const double compute = flops / (tflops * 1e6), memory = bytes / (gb_per_s * 1e3);
    return compute > memory ? compute : memory;
  }
};

/// The roofline of the f32 lanes.
constexpr roofline roofline_of(const device_figures& d) { return {d.f32_tflops, d.memory_gb_per_s}; }

/// The roofline of one kind of tensor core: `roofline_of(*find_device("H100"), &tensor_peaks::bf16)`.
constexpr roofline roofline_of(const device_figures& d, double tensor_peaks::* type) {
  return {d.tensor.*type, d.memory_gb_per_s};
}

}  // namespace tg::analysis
