// What a device has done since it was opened, as numbers and as text for Prometheus.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <tg/runtime/pool.hpp>

namespace tg {

/// Sums since the device was opened by this process. Units: bytes, calls.
struct telemetry {
  std::string device;
  std::uint64_t launches = 0;  // of kernels, those that a capture turned into nodes included
  std::uint64_t graph_launches = 0;
  std::uint64_t host_to_device_bytes = 0;
  std::uint64_t device_to_host_bytes = 0;
  std::uint64_t device_to_device_bytes = 0;
  std::uint64_t synchronisations = 0;
  std::uint64_t allocations = 0;  // of the driver, those of pools included
  std::uint64_t allocated_bytes = 0;
  std::uint64_t modules_loaded = 0;
  std::uint64_t driver_calls = 0;
  std::uint64_t driver_failures = 0;
  cache_counts cache;     // on disk
  pool_statistics pools;  // summed; the largest free range is that of all
};

/// Reads the counters of a device and of the pools given; the disk cache is the device's own or that of the process.
telemetry telemetry_of(const device& gpu, std::span<const pool> pools = {});

/// Metrics in Prometheus' text format, each with the device as label.
/// Source: Prometheus, "Exposition formats", text-based format 0.0.4.
std::string to_prometheus(const telemetry& t);

}  // namespace tg
