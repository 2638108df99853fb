// The emulated driver's calls about itself, its device and contexts.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>

#include <tg/emulator/driver_table/machine.hpp>

namespace tg::emulator::entry {

using driver::context_handle;
using driver::device_attribute;
using driver::device_id;

inline constexpr std::string_view device_name = "tg emulator";
/// What the emulated driver says it is: CUDA 13.0.
inline constexpr int driver_version = 13000;

/// Limits of compute capability 9.0. Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications per Compute
/// Capability".
struct limits {
  static constexpr int threads_per_block = 1024;
  static constexpr int block_z = 64;
  static constexpr int grid_x = 0x7fffffff;
  static constexpr int grid_yz = 65535;
  static constexpr int threads_per_multiprocessor = 2048;
  static constexpr int blocks_per_multiprocessor = 32;
  static constexpr int registers = 65536;  // 32-bit, per block and per multiprocessor
  static constexpr int shared_bytes = 48 << 10;
  static constexpr int shared_bytes_opt_in = 227 << 10;
  static constexpr int shared_bytes_reserved = 1 << 10;
  static constexpr int shared_bytes_per_multiprocessor = 228 << 10;
  static constexpr int capability_major = 9;
  static constexpr int capability_minor = 0;
};

/// The context that is current on this thread.
/// Errors: invalid_context when there is none; context_is_destroyed when it has ended.
inline context_handle current(machine& m) {
  require(current_context != nullptr, result::invalid_context);
  try {
    m.contexts.at(current_context);
  } catch (const refused&) {
    throw refused{result::context_is_destroyed};
  }
  return current_context;
}

/// Ends a context and frees what was made on it.
void destroy(machine& m, context_handle context);

inline result cuInit(unsigned flags) {
  const std::lock_guard lock(the_machine().mutex);
  if (flags != 0) return result::invalid_value;
  the_machine().is_initialized = true;
  return result::success;
}

inline result cuDriverGetVersion(int* version) {
  if (version == nullptr) return result::invalid_value;
  *version = driver_version;
  return result::success;
}

inline result cuGetErrorName(result r, const char** name) {
  const driver::result_info* info = driver::find_result(r);
  if (name == nullptr) return result::invalid_value;
  *name = info ? info->name : nullptr;
  return info ? result::success : result::invalid_value;
}

inline result cuGetErrorString(result r, const char** text) {
  const driver::result_info* info = driver::find_result(r);
  if (text == nullptr) return result::invalid_value;
  *text = info ? info->text : nullptr;
  return info ? result::success : result::invalid_value;
}

inline result cuDeviceGetCount(int* count) {
  return guarded([&](machine&) {
    require(count);
    *count = 1;
  });
}

inline result cuDeviceGet(device_id* device, int ordinal) {
  return guarded([&](machine&) {
    require(device);
    require(ordinal == 0, result::invalid_device);
    *device = 0;
  });
}

inline result cuDeviceGetName(char* name, int size, device_id device) {
  return guarded([&](machine&) {
    require(device == 0, result::invalid_device);
    require(name && size > 0);
    const auto length = std::min(device_name.size(), static_cast<std::size_t>(size) - 1);
    std::memcpy(name, device_name.data(), length);
    name[length] = '\0';
  });
}

inline result cuDeviceTotalMem(std::size_t* bytes, device_id device) {
  return guarded([&](machine& m) {
    require(device == 0, result::invalid_device);
    require(bytes);
    *bytes = m.memory.capacity_bytes();
  });
}

inline int value_of(device_attribute a) {
  switch (a) {
    case device_attribute::max_threads_per_block:
    case device_attribute::max_block_dim_x:
    case device_attribute::max_block_dim_y: return limits::threads_per_block;
    case device_attribute::max_block_dim_z: return limits::block_z;
    case device_attribute::max_grid_dim_x: return limits::grid_x;
    case device_attribute::max_grid_dim_y:
    case device_attribute::max_grid_dim_z: return limits::grid_yz;
    case device_attribute::max_shared_memory_per_block: return limits::shared_bytes;
    case device_attribute::max_shared_memory_per_block_optin: return limits::shared_bytes_opt_in;
    case device_attribute::max_shared_memory_per_multiprocessor: return limits::shared_bytes_per_multiprocessor;
    case device_attribute::reserved_shared_memory_per_block: return limits::shared_bytes_reserved;
    case device_attribute::total_constant_memory: return 64 << 10;
    case device_attribute::warp_size: return 32;
    case device_attribute::max_registers_per_block:
    case device_attribute::max_registers_per_multiprocessor: return limits::registers;
    case device_attribute::multiprocessor_count: return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    case device_attribute::max_threads_per_multiprocessor: return limits::threads_per_multiprocessor;
    case device_attribute::max_blocks_per_multiprocessor: return limits::blocks_per_multiprocessor;
    case device_attribute::compute_capability_major: return limits::capability_major;
    case device_attribute::compute_capability_minor: return limits::capability_minor;
    case device_attribute::integrated:
    case device_attribute::can_map_host_memory:
    case device_attribute::concurrent_kernels:
    case device_attribute::pci_bus_id:
    case device_attribute::clock_rate:
    case device_attribute::memory_clock_rate:
    case device_attribute::global_memory_bus_width:
    case device_attribute::l2_cache_size:
    case device_attribute::async_engine_count:
    case device_attribute::unified_addressing:
    case device_attribute::managed_memory:
    case device_attribute::cooperative_launch:
    case device_attribute::cluster_launch: return 0;
    case device_attribute::memory_pools_supported: return 1;
  }
  throw refused{result::invalid_value};
}

inline result cuDeviceGetAttribute(int* value, device_attribute attribute, device_id device) {
  return guarded([&](machine&) {
    require(device == 0, result::invalid_device);
    require(value);
    *value = value_of(attribute);
  });
}

inline result cuDevicePrimaryCtxRetain(context_handle* out, device_id device) {
  return guarded([&](machine& m) {
    require(device == 0, result::invalid_device);
    require(out);
    if (m.primary == nullptr) m.primary = m.contexts.add(std::make_shared<context>(context{.is_primary = true}));
    else ++m.contexts.at(m.primary)->users;
    *out = m.primary;
  });
}

inline result cuDevicePrimaryCtxRelease(device_id device) {
  return guarded([&](machine& m) {
    require(device == 0, result::invalid_device);
    require(m.primary != nullptr, result::invalid_context);
    if (--m.contexts.at(m.primary)->users == 0) destroy(m, std::exchange(m.primary, nullptr));
  });
}

inline result cuDevicePrimaryCtxReset(device_id device) {
  return guarded([&](machine& m) {
    require(device == 0, result::invalid_device);
    if (m.primary != nullptr) destroy(m, std::exchange(m.primary, nullptr));
  });
}

inline result cuCtxCreate(context_handle* out, unsigned, device_id device) {
  return guarded([&](machine& m) {
    require(device == 0, result::invalid_device);
    require(out);
    *out = current_context = m.contexts.add(std::make_shared<context>());
  });
}

inline result cuCtxDestroy(context_handle context) {
  return guarded([&](machine& m) {
    require(context != m.primary, result::invalid_context);
    destroy(m, context);
    if (current_context == context) current_context = nullptr;
  });
}

inline result cuCtxSetCurrent(context_handle context) {
  return guarded([&](machine& m) {
    if (context != nullptr) m.contexts.at(context);
    current_context = context;
  });
}

inline result cuCtxGetCurrent(context_handle* context) {
  return guarded([&](machine&) {
    require(context);
    *context = current_context;
  });
}

inline result cuCtxGetDevice(device_id* device) {
  return guarded([&](machine& m) {
    require(device);
    current(m);
    *device = 0;
  });
}

}  // namespace tg::emulator::entry
