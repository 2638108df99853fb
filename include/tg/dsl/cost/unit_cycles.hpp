// How long the units of one multiprocessor are busy with a piece of a kernel: what its lines are ranked by.
//
// Schedulers issue one instruction of a warp per cycle, shared memory serves one wavefront, memory and tensor cores
// move what is theirs at their peak. Source: CUDA C++ Programming Guide, "Compute Capability 8.x" to "12.x" (four
// schedulers); Nsight Compute, "Shared Memory"; the peaks of the device table.
#pragma once

#include <algorithm>
#include <array>

#include <tg/analysis/device_table.hpp>
#include <tg/dsl/cost/kernel_cost.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg {

/// The units that a kernel can keep busy.
enum class machine_unit { issue, shared_memory, global_memory, tensor_core };
/// How many values `machine_unit` has.
inline constexpr std::size_t machine_units = 4;

/// The unit in words: "shared memory".
constexpr const char* name(machine_unit u) {
  constexpr const char* names[] = {"instruction issue", "shared memory", "global memory", "tensor cores"};
  return names[static_cast<int>(u)];
}

/// Cycles of each unit.
struct unit_cycles {
  std::array<double, machine_units> of{};

  double operator[](machine_unit u) const { return of[static_cast<std::size_t>(u)]; }
  /// When nothing overlaps.
  double total() const { return of[0] + of[1] + of[2] + of[3]; }
  machine_unit busiest() const { return static_cast<machine_unit>(std::max_element(of.begin(), of.end()) - of.begin()); }
};

/// Peak of the tensor cores for factors of this type; 0: there is none.
constexpr double tensor_peak(const analysis::device_figures& on, ptx::token type) {
  using enum ptx::token;
  switch (type) {
    case f64: return on.tensor.f64;
    case tf32: return on.tensor.tf32;
    case f16: return on.tensor.f16;
    case bf16: return on.tensor.bf16;
    case e4m3:
    case e5m2: return on.tensor.f8;
    case s8:
    case u8: return on.tensor.s8;
    default: return 0;
  }
}

/// Cycles that this work takes of one multiprocessor. `matrix_type` is that of the factors of matrix instructions.
inline unit_cycles busy_cycles(const cost_figures& c, ptx::token matrix_type, const analysis::device_figures& d) {
  constexpr double schedulers = 4, sector_bytes = 32;
  const double mega_cycles = static_cast<double>(d.multiprocessors) * d.boost_mhz;  // per second, of all
  const double bytes_per_cycle = d.memory_gb_per_s * 1e3 / mega_cycles;
  const double products_per_cycle = tensor_peak(d, matrix_type) * 1e6 / 2 / mega_cycles;
  return {{static_cast<double>(c.instructions) / schedulers, static_cast<double>(c.wavefronts),
           sector_bytes * static_cast<double>(c.sectors_best) / bytes_per_cycle,
           products_per_cycle == 0 ? 0 : static_cast<double>(c.multiply_adds) / products_per_cycle}};
}

}  // namespace tg
