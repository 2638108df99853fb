// Launches a loaded kernel with its packed parameters.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <tg/runtime/context.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::runtime {

using block_threads = std::array<std::uint32_t, 3>;

/// Errors: TG522 when the device cannot run the kernel with blocks of these threads.
inline void require_block(const context& device, const compiled_kernel& kernel, const block_threads& block,
                          source_location where) {
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  const auto refuse = [&](const std::string& fact) {
    throw error(block_size,
                "kernel '" + kernel.name + "' has blocks of " + std::to_string(block[0]) + " x " +
                    std::to_string(block[1]) + " x " + std::to_string(block[2]) + " threads; " + fact,
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
}

/// Errors: TG521 for the grid; those of the driver.
inline void launch(context& device, const compiled_kernel& kernel, const placement& where, const block_threads& block,
                   const void* parameters, std::size_t bytes) {
  const block_counts grid = to_blocks(where, block, device.limits().grid);
  const auto key = [](driver::launch_extra e) { return reinterpret_cast<void*>(e); };
  void* extra[] = {key(driver::launch_extra::buffer_pointer), const_cast<void*>(parameters),
                   key(driver::launch_extra::buffer_size), &bytes, key(driver::launch_extra::end)};
  const driver::result r =
      device.attempt(device.api().cuLaunchKernel, kernel.function, grid[0], grid[1], grid[2], block[0], block[1],
                     block[2], 0u, driver::stream_handle{}, static_cast<void**>(nullptr), static_cast<void**>(extra));
  if (r != driver::result::success) [[unlikely]]
    device.fail(r,
                "launch of '" + kernel.name + "' with " + std::to_string(grid[0]) + " x " + std::to_string(grid[1]) +
                    " x " + std::to_string(grid[2]) + " blocks of " + std::to_string(block[0]) + " x " +
                    std::to_string(block[1]) + " x " + std::to_string(block[2]) + " threads",
                where.where);
  device.launched(kernel.name.c_str(), where.where);
}

}  // namespace tg::runtime
