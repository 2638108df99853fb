// The emulated driver's calls about its devices: sm_90 parts of which the host's cores are the multiprocessors. There is
// one unless TG_EMULATOR_DEVICES or `show_devices` says otherwise, up to 9.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>

#include <tg/analysis/capability_table.hpp>
#include <tg/analysis/device_table.hpp>
#include <tg/emulator/driver_table/machine.hpp>
#include <tg/emulator/image/cluster_window.hpp>

namespace tg::emulator::entry {

using driver::device_attribute;
using driver::device_id;

inline constexpr std::string_view device_name = "tg emulator";
inline constexpr char bus_id[] = "0000:00:00.0";
inline constexpr driver::uuid device_uuid{{'t', 'g', ' ', 'e', 'm', 'u', 'l', 'a', 't', 'o', 'r', ' ', 's', 'm', '9', '0'}};

/// Limits of compute capability 9.0. Source: `analysis::capability_table`; of the rest, CUDA C++ Programming Guide 13.0,
/// table "Technical Specifications per Compute Capability".
struct limits {
  static constexpr analysis::multiprocessor multiprocessor = analysis::multiprocessor_of(90);
  static constexpr int threads_per_block = analysis::max_block_threads;
  static constexpr int block_z = analysis::max_block_z;
  static constexpr int grid_x = analysis::max_grid_x;
  static constexpr int grid_yz = analysis::max_grid_yz;
  static constexpr int threads_per_multiprocessor = multiprocessor.threads;
  static constexpr int blocks_per_multiprocessor = multiprocessor.blocks;
  static constexpr int registers = multiprocessor.registers;  // 32-bit, per block and per multiprocessor
  static constexpr int shared_bytes = analysis::max_static_shared_bytes;
  static constexpr int shared_bytes_opt_in = static_cast<int>(multiprocessor.shared_opt_in_bytes);
  static constexpr int shared_bytes_reserved = static_cast<int>(multiprocessor.shared_reserved_bytes);
  static constexpr int shared_bytes_per_multiprocessor = static_cast<int>(multiprocessor.shared_bytes);
  static constexpr int blocks_per_cluster = 8;
  static constexpr int blocks_per_cluster_non_portable = max_cluster_blocks;
  static constexpr int capability_major = 9;
  static constexpr int capability_minor = 0;
};

inline void require_device(const machine& m, device_id device) {
  require(device >= 0 && device < static_cast<int>(m.devices.size()), result::invalid_device);
}

inline result cuDeviceGetCount(int* count) {
  return guarded([&](machine& m) {
    require(count);
    *count = static_cast<int>(m.devices.size());
  });
}

inline result cuDeviceGet(device_id* device, int ordinal) {
  return guarded([&](machine& m) {
    require(device);
    require_device(m, ordinal);
    *device = ordinal;
  });
}

inline result cuDeviceGetName(char* name, int size, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(name && size > 0);
    const auto length = std::min(device_name.size(), static_cast<std::size_t>(size) - 1);
    std::memcpy(name, device_name.data(), length);
    name[length] = '\0';
  });
}

inline result cuDeviceTotalMem(std::size_t* bytes, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(bytes);
    *bytes = m.memory.capacity_bytes();
  });
}

/// Clocks, caches and bus are those of an H100 SXM5; 0 stands for what there is none of, textures and surfaces above
/// all. Source: NVIDIA H100 Tensor Core GPU Architecture, table 3.
inline int value_of(device_attribute attribute) {
  using enum device_attribute;
  switch (attribute) {
    case max_threads_per_block:
    case max_block_dim_x:
    case max_block_dim_y: return limits::threads_per_block;
    case max_block_dim_z: return limits::block_z;
    case max_grid_dim_x: return limits::grid_x;
    case max_grid_dim_y:
    case max_grid_dim_z: return limits::grid_yz;
    case max_shared_memory_per_block: return limits::shared_bytes;
    case max_shared_memory_per_block_optin: return limits::shared_bytes_opt_in;
    case max_shared_memory_per_multiprocessor: return limits::shared_bytes_per_multiprocessor;
    case reserved_shared_memory_per_block: return limits::shared_bytes_reserved;
    case total_constant_memory: return 64 << 10;
    case warp_size:
    case texture_pitch_alignment: return 32;
    case max_registers_per_block:
    case max_registers_per_multiprocessor: return limits::registers;
    case multiprocessor_count: return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    case max_threads_per_multiprocessor: return limits::threads_per_multiprocessor;
    case max_blocks_per_multiprocessor: return limits::blocks_per_multiprocessor;
    case compute_capability_major: return limits::capability_major;
    case compute_capability_minor: return limits::capability_minor;
    case max_pitch: return 0x7fffffff;
    case clock_rate: return 1980000;
    case texture_alignment:
    case surface_alignment: return 512;
    case gpu_overlap:
    case can_map_host_memory:
    case concurrent_kernels:
    case unified_addressing:
    case stream_priorities_supported:
    case global_l1_cache_supported:
    case local_l1_cache_supported:
    case managed_memory:
    case concurrent_managed_access:
    case compute_preemption_supported:
    case can_use_host_pointer_for_registered_mem:
    case cooperative_launch:
    case host_register_supported:
    case virtual_memory_management_supported:
    case memory_pools_supported:
    case cluster_launch:
    case can_use_64_bit_stream_mem_ops:
    case can_use_stream_wait_value_nor:
    case tensor_map_access_supported:
    case read_only_host_register_supported:
    case can_use_stream_mem_ops_v1:
    case can_use_64_bit_stream_mem_ops_v1:
    case can_use_stream_wait_value_nor_v1:
    case host_native_atomic_supported:
    case direct_managed_mem_access_from_host: return 1;
    case memory_clock_rate: return 2619000;
    case global_memory_bus_width: return 5120;
    case l2_cache_size: return 50 << 20;
    case async_engine_count: return 3;
    case single_to_double_precision_perf_ratio: return 2;
    case mem_sync_domain_count: return 4;
    case max_access_policy_window_size: return 128 << 20;
    case max_persisting_l2_cache_size: return 30 << 20;
    case numa_id:
    case host_numa_id: return -1;
    default: require(attribute >= max_threads_per_block && attribute <= only_partial_host_native_atomic_supported); return 0;
  }
}

inline result cuDeviceGetAttribute(int* value, device_attribute attribute, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(value);
    *value = value_of(attribute);
  });
}

inline result cuDeviceGetProperties(driver::device_properties* out, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out);
    *out = {limits::threads_per_block,
            {limits::threads_per_block, limits::threads_per_block, limits::block_z},
            {limits::grid_x, limits::grid_yz, limits::grid_yz},
            limits::shared_bytes,
            value_of(device_attribute::total_constant_memory),
            32,
            value_of(device_attribute::max_pitch),
            limits::registers,
            value_of(device_attribute::clock_rate),
            value_of(device_attribute::texture_alignment)};
  });
}

inline result cuDeviceComputeCapability(int* major, int* minor, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(major && minor);
    *major = limits::capability_major;
    *minor = limits::capability_minor;
  });
}

inline result cuDeviceGetUuid(driver::uuid* out, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out);
    *out = device_uuid;
    out->bytes[15] = static_cast<unsigned char>('0' + device);
  });
}

inline result cuDeviceGetPCIBusId(char* out, int size, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out && size >= static_cast<int>(sizeof bus_id));
    std::memcpy(out, bus_id, sizeof bus_id);
    out[6] = static_cast<char>('0' + device);  // 0000:0d:00.0
  });
}

inline result cuDeviceGetByPCIBusId(device_id* device, const char* id) {
  return guarded([&](machine& m) {
    require(device && id);
    std::string_view rest = id;
    if (rest.starts_with("0000:")) rest.remove_prefix(5);
    require(rest.size() == 7 && rest.starts_with("0") && rest.ends_with(":00.0"), result::invalid_device);
    require_device(m, rest[1] - '0');
    *device = rest[1] - '0';
  });
}

/// Every device is a peer of every other, and none of itself.
inline result cuDeviceCanAccessPeer(int* can, device_id device, device_id peer) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require_device(m, peer);
    require(can);
    *can = device != peer;
  });
}

inline result cuDeviceGetP2PAttribute(int* value, int attribute, device_id from, device_id to) {
  constexpr int access_supported = 2, native_atomic_supported = 3;
  return guarded([&](machine& m) {
    require_device(m, from);
    require_device(m, to);
    require(from != to, result::invalid_device);
    require(value && attribute >= 1 && attribute <= 5);
    *value = attribute == access_supported || attribute == native_atomic_supported;
  });
}

inline result cuDeviceGetExecAffinitySupport(int* out, int, device_id device) {
  return guarded([&](machine& m) {
    require_device(m, device);
    require(out);
    *out = 0;
  });
}

}  // namespace tg::emulator::entry
