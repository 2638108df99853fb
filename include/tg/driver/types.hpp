// Types and enumerators of the CUDA driver API, without its headers. A test compares each with cuda.h where there is one.
// An enumerator is the driver's name without the prefix given beside the enumeration.
// Source: CUDA Driver API 13.0, §6.1.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/driver/device_attribute.hpp>

namespace tg::driver {

/// Number of a device, from 0.
using device_id = int;
/// Address in device memory.
using device_address = std::uint64_t;

/// Objects of the driver; their insides are the driver's own.
using context_handle = struct context_object*;
/// CUmodule of cuda.h.
using module_handle = struct module_object*;
/// CUfunction of cuda.h.
using function_handle = struct function_object*;
/// CUstream of cuda.h.
using stream_handle = struct stream_object*;
/// CUevent of cuda.h.
using event_handle = struct event_object*;
/// CUlinkState of cuda.h.
using link_handle = struct link_object*;
/// CUgraph of cuda.h.
using graph_handle = struct graph_object*;
/// CUgraphNode of cuda.h.
using graph_node_handle = struct graph_node_object*;
/// CUgraphExec of cuda.h.
using graph_exec_handle = struct graph_exec_object*;
/// CUkernel of cuda.h.
using kernel_handle = struct kernel_object*;
/// CUlibrary of cuda.h.
using library_handle = struct library_object*;
/// CUmemoryPool of cuda.h.
using pool_handle = struct pool_object*;
/// CUuserObject of cuda.h.
using user_object_handle = struct user_object_object*;
/// CUarray of cuda.h.
using array_handle = struct array_object*;
/// Physical memory that can be mapped.
using physical_handle = unsigned long long;

/// A fact about a loaded kernel: CU_FUNC_ATTRIBUTE_.
enum class function_attribute : int {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  const_size_bytes = 2,
  local_size_bytes = 3,
  num_regs = 4,
  ptx_version = 5,
  binary_version = 6,
  cache_mode_ca = 7,
  max_dynamic_shared_size_bytes = 8,
  preferred_shared_memory_carveout = 9,
  cluster_size_must_be_set = 10,
  required_cluster_width = 11,
  required_cluster_height = 12,
  required_cluster_depth = 13,
  non_portable_cluster_size_allowed = 14,
  cluster_scheduling_policy_preference = 15,
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

/// How new nodes of a capture change the nodes that the next one waits for: CU_STREAM_.
enum class capture_dependencies : unsigned { add_capture_dependencies = 0, set_capture_dependencies = 1 };

/// CU_STREAM_CAPTURE_STATUS_.
enum class capture_status : int { none = 0, active = 1, invalidated = 2 };

/// Keys of the `extra` list of `cuLaunchKernel`, by which the parameters are one packed buffer: CU_LAUNCH_PARAM_.
enum class launch_extra : std::uintptr_t { end = 0, buffer_pointer = 1, buffer_size = 2 };

/// A resource of a context: CU_LIMIT_.
enum class limit : int {
  stack_size = 0,
  printf_fifo_size = 1,
  malloc_heap_size = 2,
  dev_runtime_sync_depth = 3,
  dev_runtime_pending_launch_count = 4,
  max_l2_fetch_granularity = 5,
  persisting_l2_cache_size = 6,
  shmem_size = 7,
};

/// Where memory is: CU_MEMORYTYPE_.
enum class memory_type : unsigned { host = 1, device = 2, array = 3, unified = 4 };

/// A fact about a pointer: CU_POINTER_ATTRIBUTE_.
enum class pointer_attribute : int {
  context = 1,
  memory_type = 2,
  device_pointer = 3,
  host_pointer = 4,
  sync_memops = 6,
  buffer_id = 7,
  is_managed = 8,
  device_ordinal = 9,
  is_legacy_cuda_ipc_capable = 10,
  range_start_addr = 11,
  range_size = 12,
  mapped = 13,
  allowed_handle_types = 14,
  is_gpu_direct_rdma_capable = 15,
  access_flags = 16,
  mempool_handle = 17,
  mapping_size = 18,
  mapping_base_addr = 19,
  memory_block_id = 20,
  is_hw_decompress_capable = 21,
};

/// A fact about a memory pool: CU_MEMPOOL_ATTR_.
enum class pool_attribute : int {
  reuse_follow_event_dependencies = 1,
  reuse_allow_opportunistic = 2,
  reuse_allow_internal_dependencies = 3,
  release_threshold = 4,
  reserved_mem_current = 5,
  reserved_mem_high = 6,
  used_mem_current = 7,
  used_mem_high = 8,
};

/// What is said about managed memory: CU_MEM_RANGE_ATTRIBUTE_.
enum class range_attribute : int {
  read_mostly = 1,
  preferred_location = 2,
  accessed_by = 3,
  last_prefetch_location = 4,
  preferred_location_type = 5,
  preferred_location_id = 6,
  last_prefetch_location_type = 7,
  last_prefetch_location_id = 8,
};

/// How a wait compares: CU_STREAM_WAIT_VALUE_.
enum class wait_value : unsigned { geq = 0, eq = 1, and_ = 2, nor = 3 };

/// CU_STREAM_MEM_OP_.
enum class memory_operation : int {
  wait_value_32 = 1,
  write_value_32 = 2,
  flush_remote_writes = 3,
  wait_value_64 = 4,
  write_value_64 = 5,
  barrier = 6,
};

/// What a node of a graph does: CU_GRAPH_NODE_TYPE_.
enum class node_type : int {
  kernel = 0,
  memcpy = 1,
  memset = 2,
  host = 3,
  graph = 4,
  empty = 5,
  wait_event = 6,
  event_record = 7,
  mem_alloc = 10,
  mem_free = 11,
  batch_mem_op = 12,
};

/// Why a graph could not replace another: CU_GRAPH_EXEC_UPDATE_.
enum class update_result : int {
  success = 0,
  error = 1,
  error_topology_changed = 2,
  error_node_type_changed = 3,
  error_function_changed = 4,
  error_parameters_changed = 5,
  error_not_supported = 6,
};

/// An option of a launch: CU_LAUNCH_ATTRIBUTE_.
enum class launch_attribute_id : int {
  ignore = 0,
  access_policy_window = 1,
  cooperative = 2,
  synchronization_policy = 3,
  cluster_dimension = 4,
  cluster_scheduling_policy_preference = 5,
  programmatic_stream_serialization = 6,
  programmatic_event = 7,
  priority = 8,
  mem_sync_domain_map = 9,
  mem_sync_domain = 10,
  preferred_cluster_dimension = 11,
  launch_completion_event = 12,
  device_updatable_kernel_node = 13,
  preferred_shared_memory_carveout = 14,
  nvlink_util_centric_scheduling = 16,
};

/// What cuGetProcAddress found: CU_GET_PROC_ADDRESS_.
enum class address_query : int { success = 0, symbol_not_found = 1, version_not_sufficient = 2 };

/// What cuGetProcAddress looks for: CU_GET_PROC_ADDRESS_.
enum address_flag : unsigned long long { default_ = 0, legacy_stream = 1, per_thread_default_stream = 2 };

}  // namespace tg::driver
