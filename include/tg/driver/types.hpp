// Types and enumerators of the CUDA driver API, without its headers. A test compares each with cuda.h where there is one.
// An enumerator is the driver's name without the prefix given beside the enumeration.
// Source: CUDA Driver API 13.0, §6.1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tg::driver {

/// Number of a device, from 0.
using device_id = int;
/// Address in device memory.
using device_address = std::uint64_t;

/// Objects of the driver; their insides are the driver's own.
using context_handle = struct context_object*;
using module_handle = struct module_object*;
using function_handle = struct function_object*;
using stream_handle = struct stream_object*;
using event_handle = struct event_object*;
using link_handle = struct link_object*;
using graph_handle = struct graph_object*;
using graph_node_handle = struct graph_node_object*;
using graph_exec_handle = struct graph_exec_object*;

/// A fact about a device: CU_DEVICE_ATTRIBUTE_.
enum class device_attribute : int {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_block_dim_y = 3,
  max_block_dim_z = 4,
  max_grid_dim_x = 5,
  max_grid_dim_y = 6,
  max_grid_dim_z = 7,
  max_shared_memory_per_block = 8,
  total_constant_memory = 9,
  warp_size = 10,
  max_registers_per_block = 12,
  clock_rate = 13,
  multiprocessor_count = 16,
  integrated = 18,
  can_map_host_memory = 19,
  concurrent_kernels = 31,
  pci_bus_id = 33,
  memory_clock_rate = 36,
  global_memory_bus_width = 37,
  l2_cache_size = 38,
  max_threads_per_multiprocessor = 39,
  async_engine_count = 40,
  unified_addressing = 41,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_shared_memory_per_multiprocessor = 81,
  max_registers_per_multiprocessor = 82,
  managed_memory = 83,
  cooperative_launch = 95,
  max_shared_memory_per_block_optin = 97,
  max_blocks_per_multiprocessor = 106,
  reserved_shared_memory_per_block = 111,
  memory_pools_supported = 115,
  cluster_launch = 120,
};

/// A fact about a loaded kernel: CU_FUNC_ATTRIBUTE_.
enum class function_attribute : int {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  const_size_bytes = 2,
  local_size_bytes = 3,
  num_regs = 4,
  ptx_version = 5,
  binary_version = 6,
  max_dynamic_shared_size_bytes = 8,
  preferred_shared_memory_carveout = 9,
};

/// An option of loading PTX: CU_JIT_.
enum class jit_option : int {
  max_registers = 0,
  threads_per_block = 1,
  wall_time = 2,
  info_log_buffer = 3,
  info_log_buffer_size_bytes = 4,
  error_log_buffer = 5,
  error_log_buffer_size_bytes = 6,
  optimization_level = 7,
  target_from_cucontext = 8,
  target = 9,
  generate_debug_info = 11,
  log_verbose = 12,
  generate_line_info = 13,
};

/// What is given to the linker: CU_JIT_INPUT_.
enum class jit_input : int { cubin = 0, ptx = 1, fatbinary = 2, object = 3, library = 4 };

/// How a thread waits for the device: CU_CTX_.
enum context_flag : unsigned { sched_auto = 0, sched_spin = 1, sched_yield = 2, sched_blocking_sync = 4 };

/// How pinned host memory is made: CU_MEMHOSTALLOC_.
enum host_memory_flag : unsigned { portable = 1, devicemap = 2, writecombined = 4 };

/// CU_STREAM_.
enum class stream_flag : unsigned { default_ = 0, non_blocking = 1 };

/// CU_EVENT_.
enum class event_flag : unsigned { default_ = 0, blocking_sync = 1, disable_timing = 2 };

/// Which calls of other threads a capture forbids: CU_STREAM_CAPTURE_MODE_.
enum class capture_mode : int { global = 0, thread_local_ = 1, relaxed = 2 };

/// CU_STREAM_CAPTURE_STATUS_.
enum class capture_status : int { none = 0, active = 1, invalidated = 2 };

/// Keys of the `extra` list of `cuLaunchKernel`, by which the parameters are one packed buffer: CU_LAUNCH_PARAM_.
enum class launch_extra : std::uintptr_t { end = 0, buffer_pointer = 1, buffer_size = 2 };

}  // namespace tg::driver
