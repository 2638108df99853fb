// Calls of the driver that launch, and the checks that all launches have in common.
#pragma once

#include <tg/runtime/launch.hpp>

#include <cstdint>
#include <string>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::runtime {

namespace detail {

/// Throws the error of a launch that the driver refused, with the shape of the grid.
TG_COLD [[noreturn]] inline void fail_launch(context& device, const launch_plan& p, driver::result r,
                                             driver::stream_handle stream) {
  const auto text = [](const fixed_array<std::uint32_t, 3>& n) {
    return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
  };
  device.fail(r, "launch of '" + p.kernel->name + "' with " + text(p.grid) + " blocks of " + text(p.block) + " threads",
              p.where, stream);
}

/// While it lives, a function prefers a carve-out, as another launch's option does on a driver before CUDA 13.
class function_carve_out {
 public:
  function_carve_out(context& device, driver::function_handle function, int percent) : device_(device), function_(function) {
    if (percent < 0) return;
    device.call(device.api().cuFuncGetAttribute, &before_, attribute, function);
    is_set_ = device.attempt(device.api().cuFuncSetAttribute, function, attribute, percent) == driver::result::success;
  }
  function_carve_out(const function_carve_out&) = delete;
  function_carve_out& operator=(const function_carve_out&) = delete;
  ~function_carve_out() {
    if (is_set_) device_.release(device_.api().cuFuncSetAttribute, function_, attribute, before_);
  }

 private:
  static constexpr auto attribute = driver::function_attribute::preferred_shared_memory_carveout;
  context& device_;
  driver::function_handle function_;
  int before_ = -1;
  bool is_set_ = false;
};

}  // namespace detail

TG_LIBRARY_FUNCTION void require_block(const context& device, const compiled_kernel& kernel, const block_threads& seen,
                                       source_location where) {
  const block_threads block = launched(kernel, seen);
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  const auto refuse = [&](const std::string& fact) {
    throw error(block_size,
                "kernel '" + kernel.name + "' has blocks of " + std::to_string(block[0]) + " x " + std::to_string(block[1]) +
                    " x " + std::to_string(block[2]) + " threads; " + fact,
                "use a smaller block", where);
  };
  for (std::size_t i = 0; i < 3; ++i)
    if (block[i] == 0 || block[i] > device.limits().block[i])
      refuse("the device has 1 to " + std::to_string(device.limits().block[i]) + " along " + "xyz"[i]);
  if (threads > device.limits().block_threads)
    refuse("the device has at most " + std::to_string(device.limits().block_threads) + " in a block");
  if (threads > static_cast<std::uint64_t>(kernel.max_threads))
    refuse("as compiled, with " + std::to_string(kernel.registers) + " registers, it runs with at most " +
           std::to_string(kernel.max_threads));
  const analysis::occupancy fits =
      analysis::find_occupancy(device.limits().multiprocessor(), {static_cast<int>(threads), kernel.registers, 0});
  if (fits.by_registers == 0)
    refuse("as compiled, with " + std::to_string(kernel.registers) + " registers a thread, no block fits into the " +
           std::to_string(device.limits().block_registers) + " registers of a multiprocessor");
}

TG_LIBRARY_FUNCTION void require_reach(const compiled_kernel& kernel, const block_counts& grid, const placement& wanted) {
  const auto& most = kernel.most_blocks;
  if (grid[0] <= most[0] && grid[1] <= most[1] && grid[2] <= most[2]) [[likely]]
    return;
  const std::size_t axis = grid[0] > most[0] ? 0 : grid[1] > most[1] ? 1 : 2;
  const std::string name(1, "xyz"[axis]);
  throw error(block_reach,
              "launch of '" + kernel.name + "': " + std::to_string(grid[axis]) + " blocks along " + name +
                  (wanted.is_blocks ? "" : " for " + std::to_string(wanted.extents[axis]) + " elements") +
                  "; what the kernel computes from block.index." + name + " in 32 bits wraps around beyond " +
                  std::to_string(most[axis]) + " blocks",
              "compute with block.global_index64(), or launch in parts", wanted.where);
}

TG_LIBRARY_FUNCTION void require_clusters(const compiled_kernel& kernel, const block_counts& grid, const placement& wanted) {
  if (kernel.cluster[0] == 0) [[likely]]
    return;
  for (std::size_t k = 0; k < 3; ++k)
    if (kernel.cluster[k] > 1 && grid[k] % kernel.cluster[k] != 0)
      throw error(cluster_shape,
                  "launch of '" + kernel.name + "': clusters of " + std::to_string(kernel.cluster[k]) + " blocks do not fill " +
                      std::to_string(grid[k]) + " blocks along " + "xyz"[k],
                  "round the grid up to whole clusters", wanted.where);
}

TG_LIBRARY_FUNCTION bool overlaps(const launch_plan& p) {
  for (unsigned i = 0; i < p.attribute_count; ++i)
    if (p.attributes[i].id == driver::launch_attribute_id::programmatic_stream_serialization) return true;
  return false;
}

TG_LIBRARY_FUNCTION void refuse_overlap_in_graph(const launch_plan& p) {
  throw error(overlap_without_wait, "launch of '" + p.kernel->name + "': a node of a graph overlaps no launch",
              "launch it in the graph without .overlapping()", p.where);
}

TG_LIBRARY_FUNCTION void launch(context& device, const launch_plan& p, const void* parameters, std::size_t bytes,
                                driver::stream_handle stream) {
  launch_parameters passed(*p.kernel, parameters, bytes);
  const nvtx::range shown(p.kernel->name.c_str());
  const std::uint32_t shared =
      p.kernel->shared.depends_on_arguments
          ? p.option_shared_bytes + shared_bytes_for(p.kernel->name, p.kernel->shared, parameters, p.where)
          : p.shared_bytes;
  const detail::function_carve_out preferred(device, p.kernel->function, p.carve_out_percent);
  driver::result r;
  if (p.attribute_count == 0) {
    r = device.attempt(device.api().cuLaunchKernel, p.kernel->function, p.grid[0], p.grid[1], p.grid[2], p.block[0], p.block[1],
                       p.block[2], shared, stream, passed.each(), passed.extra());
  } else {
    if (overlaps(p) && device.is_captured(stream)) refuse_overlap_in_graph(p);
    const driver::launch_config config{p.grid[0],        p.grid[1],  p.grid[2],
                                       p.block[0],       p.block[1], p.block[2],
                                       shared,           stream,     const_cast<driver::launch_attribute*>(p.attributes),
                                       p.attribute_count};
    r = device.attempt(device.api().cuLaunchKernelEx, &config, p.kernel->function, passed.each(), passed.extra());
  }
  if (r != driver::result::success) [[unlikely]]
    detail::fail_launch(device, p, r, stream);
  device.launched(p.kernel->name.c_str(), p.where, stream);
}

TG_LIBRARY_FUNCTION void launch(context& device, const compiled_kernel& kernel, const placement& where,
                                const block_threads& seen, const void* parameters, std::size_t bytes,
                                driver::stream_handle stream) {
  if (where.has_options) [[unlikely]]
    return launch(device, plan_launch(device, kernel, where, seen, parameters), parameters, bytes, stream);
  const std::uint32_t shared = kernel.shared.depends_on_arguments
                                   ? shared_bytes_for(kernel.name, kernel.shared, parameters, where.where)
                                   : kernel.shared.fixed_bytes;
  const block_counts grid = to_blocks(where, seen, device.limits().grid);
  const block_threads block = launched(kernel, seen);
  require_reach(kernel, grid, where);
  require_clusters(kernel, grid, where);
  launch_parameters passed(kernel, parameters, bytes);
  const nvtx::range shown(kernel.name.c_str());
  const driver::result r = device.attempt(device.api().cuLaunchKernel, kernel.function, grid[0], grid[1], grid[2], block[0],
                                          block[1], block[2], shared, stream, passed.each(), passed.extra());
  if (r != driver::result::success) [[unlikely]]
    detail::fail_launch(device, {.kernel = &kernel, .grid = grid, .block = block, .where = where.where}, r, stream);
  device.launched(kernel.name.c_str(), where.where, stream);
}

}  // namespace tg::runtime
