// Every function that the emulated libcuda exports: one table, from which the symbols and cuGetProcAddress come.
#pragma once

#include <atomic>
#include <cstdio>
#include <span>
#include <string_view>

#include <tg/emulator/driver_table/capture.hpp>
#include <tg/emulator/driver_table/copy.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/driver_table/graph_exec.hpp>
#include <tg/emulator/driver_table/kept_launch.hpp>
#include <tg/emulator/driver_table/library.hpp>
#include <tg/emulator/driver_table/linker.hpp>
#include <tg/emulator/driver_table/pointer.hpp>
#include <tg/emulator/driver_table/tensor_map.hpp>
#include <tg/emulator/driver_table/virtual_memory.hpp>
#include <tg/emulator/libcuda/per_thread.hpp>
#include <tg/emulator/libcuda/refuse.hpp>

namespace tg::emulator::libcuda {

using any_function = void (*)();

/// A symbol: the name without its version, the name as exported, the CUDA version that brought it (12040: 12.4).
struct exported {
  std::string_view base;
  const char* name;
  int since;
  bool is_per_thread;  // _ptsz, _ptds
  bool is_refused;
  any_function function;
};

/// All of them, by name and version.
std::span<const exported> exports();

/// The newest function of this name that a program for CUDA `version` knows.
/// Returns: null when there is none; `what` says why.
inline const exported* find_export(std::string_view base, int version, bool per_thread, driver::address_query& what) {
  const exported* best = nullptr;
  what = driver::address_query::symbol_not_found;
  for (const exported& e : exports()) {
    if (e.base != base) continue;
    if (what != driver::address_query::success) what = driver::address_query::version_not_sufficient;
    if (e.since > version || (e.is_per_thread && !per_thread)) continue;
    what = driver::address_query::success;
    if (best == nullptr || e.since > best->since || (e.is_per_thread && e.since >= best->since)) best = &e;
  }
  return best;
}

}  // namespace tg::emulator::libcuda

namespace tg::emulator::entry {

/// Works before cuInit.
inline result cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                                  driver::address_query* status) {
  if (name == nullptr || function == nullptr || flags > 3) return result::invalid_value;
  driver::address_query what;
  const libcuda::exported* found = libcuda::find_export(name, version, flags == driver::per_thread_default_stream, what);
  *function = found ? reinterpret_cast<void*>(found->function) : nullptr;
  if (status) *status = what;
  return found ? result::success : result::not_found;
}
inline result cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

/// There are no tables behind the driver's own interface. Programs of the runtime API stand on them, and end without a word;
/// other libraries of NVIDIA's ask for them and do without.
inline result cuGetExportTable(const void** table, const driver::uuid*) {
  static std::atomic_flag was_said;
  if (!was_said.test_and_set())
    std::fputs(
        "tg emulator: cuGetExportTable is not supported: what launches kernels through the CUDA runtime API (libcudart) does "
        "not run here; compile them to PTX (nvcc -ptx) and launch them through the driver API (cuModuleLoadData, "
        "cuLaunchKernel)\n",
        stderr);
  if (table) *table = nullptr;
  return result::not_supported;
}

}  // namespace tg::emulator::entry

namespace tg::emulator::libcuda {

inline std::span<const exported> exports() {
  const auto address = [](auto* f) { return reinterpret_cast<any_function>(f); };
#define TG_EXPORT(base, suffix, since, function) {#base, #base #suffix, since, false, false, address(&entry::function)},
#define TG_EXPORT_PER_THREAD(base, suffix, since, function) \
  {#base, #base #suffix, since, true, false, address(&per_thread<&entry::function>::call)},
#define TG_REFUSE(base, suffix, since) {#base, #base #suffix, since, false, true, address(&refuse<#base #suffix>)},
  static const exported all[] = {
#include <tg/emulator/libcuda/rows.hpp>
  };
#undef TG_REFUSE
#undef TG_EXPORT_PER_THREAD
#undef TG_EXPORT
  return all;
}

}  // namespace tg::emulator::libcuda
