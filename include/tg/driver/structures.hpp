// The structures that the CUDA driver API takes and gives, laid out as in cuda.h; a test compares each size and offset
// with cuda.h where there is one. Source: CUDA Driver API 13.0, 6.1.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/driver/types.hpp>

namespace tg::driver {

/// What cuLaunchHostFunc calls.
using host_function = void (*)(void*);
/// What cuStreamAddCallback calls.
using stream_callback = void (*)(stream_handle, int, void*);
/// What the occupancy functions ask for the dynamic shared memory of a block.
using dynamic_shared_size = std::size_t (*)(int block_threads);

/// CUuuid.
struct uuid { unsigned char bytes[16]; };

/// CUdevprop.
struct device_properties {
  int max_threads_per_block, max_threads[3], max_grid[3], shared_bytes_per_block, constant_bytes, warp_size, max_pitch,
      registers_per_block, clock_khz, texture_align;
};

/// One side of a copy as CUDA_MEMCPY2D has it.
template <class Host> struct copy_2d_side {
  std::size_t x_bytes, y;
  driver::memory_type type;
  Host host;
  device_address device;
  array_handle array;
  std::size_t pitch;
};

/// CUDA_MEMCPY2D.
struct copy_2d {
  copy_2d_side<const void*> from;
  copy_2d_side<void*> to;
  std::size_t width_bytes, height;
};

/// One side of a copy as CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER have it.
template <class Host> struct copy_3d_side {
  std::size_t x_bytes, y, z, level;
  driver::memory_type type;
  Host host;
  device_address device;
  array_handle array;
  context_handle context;  // reserved in CUDA_MEMCPY3D
  std::size_t pitch, height;
};

/// CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER.
struct copy_3d {
  copy_3d_side<const void*> from;
  copy_3d_side<void*> to;
  std::size_t width_bytes, height, depth;
};

/// CUmemLocation.
struct memory_location {
  int type, id;  // CU_MEM_LOCATION_TYPE_DEVICE is 1, _HOST 2
};

/// CUmemAccessDesc.
struct memory_access_description {
  memory_location location;
  int flags;  // 0: none, 1: read, 3: read and write
};

/// CUmemPoolProps.
struct pool_properties {
  int allocation_type, handle_types;
  memory_location location;
  void* security;
  std::size_t max_bytes;
  unsigned short usage;
  unsigned char reserved[54];
};

/// CUmemAllocationProp.
struct allocation_properties {
  int type, handle_types;
  memory_location location;
  void* metadata;
  unsigned char compression, rdma;
  unsigned short usage;
  unsigned char reserved[4];
};

/// CUlaunchAttributeValue.
union launch_attribute_value {
  char bytes[64];
  int number;
  struct { unsigned x, y, z; } extent;
  struct {
    event_handle event;
    int flags, at_block_start;
  } event;
};

/// CUlaunchAttribute.
struct launch_attribute {
  launch_attribute_id id;
  char pad[4];
  launch_attribute_value value;
};

/// CUlaunchConfig.
struct launch_config {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  stream_handle stream;
  launch_attribute* attributes;
  unsigned attribute_count;
};

/// CUDA_KERNEL_NODE_PARAMS as of version 12; the first version ends after `extra`.
struct kernel_node_parameters {
  function_handle function;
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  void** parameters;
  void** extra;
  kernel_handle kernel;
  context_handle context;
};

/// CUDA_MEMSET_NODE_PARAMS.
struct set_node_parameters {
  device_address to;
  std::size_t pitch;
  unsigned value, element_bytes;
  std::size_t width, height;
};

/// CUDA_HOST_NODE_PARAMS.
struct host_node_parameters {
  host_function function;
  void* data;
};

/// CUDA_MEM_ALLOC_NODE_PARAMS.
struct allocation_node_parameters {
  pool_properties pool;
  const memory_access_description* access;
  std::size_t access_count, bytes;
  device_address address;
};

/// CUstreamBatchMemOpParams of a wait or a write.
struct stream_operation {
  memory_operation operation;
  device_address address;
  std::uint64_t value;
  unsigned flags;
  device_address alias;
  std::uint64_t reserved;
};

/// CUDA_BATCH_MEM_OP_NODE_PARAMS.
struct batch_node_parameters {
  context_handle context;
  unsigned count;
  stream_operation* operations;
  unsigned flags;
};

/// CUDA_MEMCPY_NODE_PARAMS.
struct copy_node_parameters {
  int flags, reserved;
  context_handle context;
  copy_3d copy;
};

/// CUgraphNodeParams.
struct node_parameters {
  node_type type;
  int reserved[3];
  union {
    long long words[29];
    kernel_node_parameters kernel;
    copy_node_parameters copy;
    set_node_parameters set;
    host_node_parameters host;
    graph_handle graph;
    event_handle event;
    allocation_node_parameters allocation;
    device_address freed;
    batch_node_parameters batch;
  };
  long long reserved_2;
};

/// CUgraphEdgeData.
struct edge_data { unsigned char from_port, to_port, type, reserved[5]; };

/// CUgraphExecUpdateResultInfo.
struct update_info {
  update_result result;
  graph_node_handle node, from_node;
};

/// CUDA_GRAPH_INSTANTIATE_PARAMS.
struct instantiate_parameters {
  std::uint64_t flags;
  stream_handle upload;
  graph_node_handle error_node;
  int result;  // CUgraphInstantiateResult: 0 success
};

/// CUtensorMap: 128 bytes, opaque to programs.
struct alignas(64) tensor_map { std::uint64_t words[16]; };

}  // namespace tg::driver
