// The model of rates behind a prediction.
#pragma once

#include <tg/dsl/cost/prediction.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/cost/known_parameters.hpp>
#include <tg/dsl/kernel/finish.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/ptx/meaning/instruction_work.hpp>
#include <tg/ptx/registers/register_estimate.hpp>

namespace tg::detail {

/// Warps of a multiprocessor that keep its four schedulers busy when each has two instructions to choose from: an instruction
/// of arithmetic takes four cycles. Source: CUDA C++ Programming Guide 13.0, 5.2.3, multiprocessor level.
inline constexpr double busy_warps = 8;
/// What one multiprocessor draws from the L2 cache in a cycle: 5120 bytes for 108 of them.
/// Source: NVIDIA A100 Tensor Core GPU Architecture whitepaper, L2 cache.
inline constexpr double l2_bytes_per_cycle = 47;
/// The share of the other units' work that does not overlap with that of the busiest: what tells kernels apart that are equal
/// in what binds them.
inline constexpr double serial_share = 0.1;
/// What spilled registers cost: the work that they add is not in the text.
inline constexpr double spill_factor = 1.5;

/// The busy cycles of the multiprocessor that gets the most blocks, and the time that follows.
inline void find_time(prediction& out, ptx::token matrix_type, const analysis::device_figures& on) {
  const auto multiprocessors = static_cast<std::uint64_t>(on.multiprocessors);
  const std::uint64_t blocks = std::max<std::uint64_t>(out.cost.blocks, 1);
  const std::uint64_t most = (blocks + multiprocessors - 1) / multiprocessors;
  const double share = static_cast<double>(most) / static_cast<double>(blocks);
  const unit_cycles all = busy_cycles(out.cost, matrix_type, on);
  const auto of = [&](machine_unit u) -> double& { return out.busy.of[static_cast<std::size_t>(u)]; };
  for (std::size_t u = 0; u < machine_units; ++u) out.busy.of[u] = all.of[u] * share;

  const auto block_warps =
      static_cast<std::uint64_t>((out.cost.block_threads + analysis::warp_lanes - 1) / analysis::warp_lanes);
  const double warps =
      static_cast<double>(std::min<std::uint64_t>(static_cast<std::uint64_t>(out.occupancy.warps), most * block_warps));
  if (warps > 0) of(machine_unit::issue) *= std::max(1.0, busy_warps / warps);
  if (out.spills) of(machine_unit::issue) *= spill_factor;
  // Memory is shared by all, and one multiprocessor draws no more than its path carries.
  const double bytes = 32 * static_cast<double>(out.cost.sectors_best);
  of(machine_unit::global_memory) =
      std::max(all[machine_unit::global_memory] / on.multiprocessors, bytes * share / l2_bytes_per_cycle);

  const double longest = out.busy[out.busy.busiest()];
  out.us = (longest + serial_share * (out.busy.total() - longest)) / on.boost_mhz;
}

TG_LIBRARY_FUNCTION prediction predict(const recordable& kernel, const dynamic_array<proof::parameter_fact>& facts,
                                       const analysis::device_figures& on, std::uint64_t blocks,
                                       std::span<const std::byte> parameters, std::int64_t more_shared_bytes) {
  traced_kernel traced = record(kernel);
  put_in_parameters(traced.module, facts, parameters);
  more_shared_bytes += sized_tile_bytes(traced.module, parameters);
  std::string text = finish(traced.module);
  const lowered_kernel lowered{std::move(traced.module), std::move(traced.accesses), std::move(text)};
  const ptx::function& f = lowered.module.functions.front();
  ptx::token matrix_type = ptx::token::none;
  for (const ptx::instruction& i : f.body)
    if (const auto work = ptx::matrix_work_of(i); work.multiply_adds != 0) matrix_type = work.type;

  prediction out;
  out.cost = cost_of(lowered, kernel.launched(), blocks);
  out.least_sm = lowered.module.sm;
  out.is_for_one_sm = lowered.module.target_suffix == "a";
  const int bound =
      analysis::register_cap(on.multiprocessor, kernel.launched().threads(), static_cast<int>(f.bounds.min_blocks_per_sm),
                             static_cast<int>(f.bounds.max_registers));
  const ptx::register_estimate estimate = ptx::estimate_registers(f, on.sm, bound);
  out.registers = estimate.expected;
  out.spills = estimate.spills(bound);
  out.occupancy = analysis::find_occupancy(
      on.multiprocessor, {kernel.launched().threads(), out.registers, out.cost.shared_bytes + more_shared_bytes});
  find_time(out, matrix_type, on);
  return out;
}

}  // namespace tg::detail
