// Collects the counters of a device and writes them as Prometheus reads them.
#pragma once

#include <tg/runtime/telemetry.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include <tg/base/config.hpp>
#include <tg/base/number_text.hpp>

namespace tg {

namespace detail {

inline void add(pool_statistics& to, const pool_statistics& one) {
  to.live_bytes += one.live_bytes;
  to.peak_live_bytes += one.peak_live_bytes;
  to.reserved_bytes += one.reserved_bytes;
  to.peak_reserved_bytes += one.peak_reserved_bytes;
  to.free_bytes += one.free_bytes;
  to.largest_free_bytes = std::max(to.largest_free_bytes, one.largest_free_bytes);
  to.live += one.live;
  to.allocations += one.allocations;
  to.hits += one.hits;
  to.reused_elsewhere += one.reused_elsewhere;
  to.driver_allocations += one.driver_allocations;
  to.given_back_bytes += one.given_back_bytes;
}

/// Metrics one after the other, under the label of one device.
class metric_writer {
 public:
  explicit metric_writer(std::string_view device) {
    for (const char c : device) {
      if (c == '\\' || c == '"') label_ += '\\';
      label_ += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
  }

  void counter(std::string_view name, std::string_view help, std::uint64_t value) {
    write(std::string(name) + "_total", help, "counter", std::to_string(value));
  }
  void gauge(std::string_view name, std::string_view help, std::uint64_t value) {
    write(std::string(name), help, "gauge", std::to_string(value));
  }
  void ratio(std::string_view name, std::string_view help, double value) {
    write(std::string(name), help, "gauge", general_text(value, 6));
  }

  const std::string& text() const { return text_; }

 private:
  void write(const std::string& name, std::string_view help, const char* type, const std::string& value) {
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ").append(type);
    text_.append("\n").append(name).append("{device=\"").append(label_).append("\"} ").append(value).append("\n");
  }

  std::string label_;
  std::string text_;
};

}  // namespace detail

TG_LIBRARY_FUNCTION telemetry telemetry_of(const device& gpu, std::span<const pool> pools) {
  runtime::context& c = *gpu.context();
  const driver::table& api = c.api();
  const auto of = [&](const auto& function) { return c.counts().of(api, function); };
  telemetry out;
  out.device = gpu.name();
  out.launches = of(api.cuLaunchKernel).calls + of(api.cuLaunchKernelEx).calls;
  out.graph_launches = of(api.cuGraphLaunch).calls;
  out.host_to_device_bytes = of(api.cuMemcpyHtoD).amount + of(api.cuMemcpyHtoDAsync).amount;
  out.device_to_host_bytes = of(api.cuMemcpyDtoH).amount + of(api.cuMemcpyDtoHAsync).amount;
  out.device_to_device_bytes = of(api.cuMemcpyDtoD).amount + of(api.cuMemcpyDtoDAsync).amount + of(api.cuMemcpyPeer).amount +
                               of(api.cuMemcpyPeerAsync).amount;
  out.synchronisations = of(api.cuCtxSynchronize).calls + of(api.cuStreamSynchronize).calls + of(api.cuEventSynchronize).calls;
  for (const auto& one : {of(api.cuMemAlloc), of(api.cuMemCreate), of(api.cuMemAllocAsync), of(api.cuMemAllocManaged)}) {
    out.allocations += one.calls;
    out.allocated_bytes += one.amount;
  }
  out.modules_loaded = of(api.cuModuleLoadDataEx).calls;
  out.driver_calls = c.counts().total();
  out.driver_failures = c.counts().failures();
  const auto chosen = c.modules().disk_cache();
  if (const auto& cache = chosen ? *chosen : disk_cache::of_process()) out.cache = cache->counts();
  for (const pool& one : pools) detail::add(out.pools, one.statistics());
  return out;
}

TG_LIBRARY_FUNCTION std::string to_prometheus(const telemetry& t) {
  detail::metric_writer w(t.device);
  w.counter("tg_launches", "Kernels launched.", t.launches);
  w.counter("tg_graph_launches", "Graphs launched.", t.graph_launches);
  w.counter("tg_host_to_device_bytes", "Bytes copied from the host.", t.host_to_device_bytes);
  w.counter("tg_device_to_host_bytes", "Bytes copied to the host.", t.device_to_host_bytes);
  w.counter("tg_device_to_device_bytes", "Bytes copied on devices.", t.device_to_device_bytes);
  w.counter("tg_synchronisations", "Waits for a device, a stream or an event.", t.synchronisations);
  w.counter("tg_allocations", "Allocations of the driver.", t.allocations);
  w.counter("tg_allocated_bytes", "Bytes that the driver allocated.", t.allocated_bytes);
  w.counter("tg_modules_loaded", "Modules loaded.", t.modules_loaded);
  w.counter("tg_driver_calls", "Calls of the driver that succeeded.", t.driver_calls);
  w.counter("tg_driver_failures", "Calls of the driver that failed.", t.driver_failures);
  w.counter("tg_cache_hits", "Kernels found in the disk cache.", t.cache.hits);
  w.counter("tg_cache_misses", "Kernels not found in the disk cache.", t.cache.misses);
  w.counter("tg_cache_rejected", "Files of the disk cache that were of no use.", t.cache.rejected);
  w.counter("tg_cache_evicted", "Files removed from the disk cache to stay below its limit.", t.cache.evicted);
  w.gauge("tg_pool_live_bytes", "Bytes of pools in use.", t.pools.live_bytes);
  w.gauge("tg_pool_reserved_bytes", "Bytes that pools hold.", t.pools.reserved_bytes);
  w.gauge("tg_pool_peak_live_bytes", "Most bytes of pools in use at once.", t.pools.peak_live_bytes);
  w.gauge("tg_pool_largest_free_bytes", "Largest free range of a pool.", t.pools.largest_free_bytes);
  w.ratio("tg_pool_fragmentation", "Part of the free bytes outside the largest free range.", t.pools.fragmentation());
  w.counter("tg_pool_allocations", "Allocations from pools.", t.pools.allocations);
  w.counter("tg_pool_hits", "Allocations from pools without a call of the driver.", t.pools.hits);
  return w.text();
}

}  // namespace tg
