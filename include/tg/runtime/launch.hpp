// Launches a loaded kernel with its packed parameters: a plain launch directly, one with options by a plan that was
// checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tg/analysis/occupancy.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/runtime/context.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/runtime/nvtx.hpp>
#include <tg/runtime/shared_sizes.hpp>

namespace tg::runtime {

/// Threads of a block along x, y and z.
using block_threads = fixed_array<std::uint32_t, 3>;

/// The threads that a block is launched with, of which the kernel's body sees `block`.
inline block_threads launched(const compiled_kernel& kernel, const block_threads& block) {
  return {block[0] + kernel.more_threads, block[1], block[2]};
}

/// Errors: TG522 when the device cannot run the kernel with blocks of these threads.
void require_block(const context& device, const compiled_kernel& kernel, const block_threads& block, source_location where);

/// Errors: TG573 when the grid has blocks that the kernel's 32-bit arithmetic takes for others.
void require_reach(const compiled_kernel& kernel, const block_counts& grid, const placement& wanted);

/// Errors: TG569 when the grid is not made of whole clusters, as the kernel's text has them.
void require_clusters(const compiled_kernel& kernel, const block_counts& grid, const placement& wanted);

/// A launch that was checked, but for its arguments.
struct launch_plan {
  const compiled_kernel* kernel = nullptr;
  block_counts grid{};
  block_threads block{};
  std::uint32_t option_shared_bytes = 0;  // beside what the kernel declares and its tiles
  std::uint32_t shared_bytes = 0;         // with its tiles, if the arguments do not decide their sizes
  source_location where;
  int carve_out_percent = -1;  // set on the function around the launch, for a driver that knows no such attribute of a launch
  unsigned attribute_count = 0;
  driver::launch_attribute attributes[5]{};
};

/// Checks what a launch asks for against the device and the kernel as it was compiled, and prepares the kernel for it.
/// `parameters`: packed, where they are known; else tiles whose sizes they decide are left to the launch.
/// Errors: TG521, TG573; TG526, TG567 to TG571.
launch_plan plan_launch(context& device, const compiled_kernel& kernel, const placement& where, const block_threads& block,
                        const void* parameters = nullptr);

/// The parameters of a launch as `cuLaunchKernel` takes them: a packed buffer, or the place of each where one is aligned to
/// more than 16 bytes. Code has those elsewhere than a buffer that begins at 0: ptxas aligns them in the constant bank, where
/// the parameters of sm_90 begin at byte 0x210.
class launch_parameters {
 public:
  launch_parameters(const compiled_kernel& kernel, const void* packed, std::size_t bytes)
      : bytes_(bytes),
        list_{key(driver::launch_extra::buffer_pointer), const_cast<void*>(packed), key(driver::launch_extra::buffer_size),
              &bytes_, key(driver::launch_extra::end)} {
    for (const std::size_t offset : kernel.offsets)
      each_.push_back(static_cast<std::byte*>(const_cast<void*>(packed)) + offset);
  }
  launch_parameters(const launch_parameters&) = delete;
  launch_parameters& operator=(const launch_parameters&) = delete;
  void** each() { return each_.empty() ? nullptr : each_.data(); }
  void** extra() { return each_.empty() ? list_ : nullptr; }

 private:
  static void* key(driver::launch_extra e) { return reinterpret_cast<void*>(e); }

  std::size_t bytes_;
  void* list_[5];
  dynamic_array<void*> each_;
};

/// Whether the plan lets its launch overlap the one before it.
bool overlaps(const launch_plan& p);

/// Errors: TG578, always.
[[noreturn]] void refuse_overlap_in_graph(const launch_plan& p);

/// Runs a plan. Errors: TG578 for one that overlaps, on a captured stream; TG526 and TG567 for tiles whose sizes the arguments
/// decide; those of the driver.
void launch(context& device, const launch_plan& p, const void* parameters, std::size_t bytes,
            driver::stream_handle stream = nullptr);

/// Errors: TG521 and TG573 for the grid; those of the options; TG526 and TG567 for tiles whose sizes the arguments decide;
/// those of the driver.
void launch(context& device, const compiled_kernel& kernel, const placement& where, const block_threads& block,
            const void* parameters, std::size_t bytes, driver::stream_handle stream = nullptr);

}  // namespace tg::runtime
