// Opens the NVIDIA driver by name at run time and fills the table from it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/base/environment.hpp>
#include <tg/base/shared_library.hpp>
#include <tg/driver/api.hpp>
#include <tg/driver/call_trace.hpp>
#include <tg/driver/fork.hpp>

namespace tg::driver {

/// The driver, or why there is none.
struct library {
  table api;
  std::string path;  // what was asked for
  bool is_open = false;
  bool is_broken = false;       // a driver is there and fails for another reason than that there is no GPU
  std::string reason;           // why it cannot be used; empty when it can
  std::vector<symbol> missing;  // functions that this driver lacks
  int version = 0;              // 12040: CUDA 12.4
  int devices = 0;

  bool is_available() const { return reason.empty(); }
};

/// Leaves out the functions that are younger than a driver of `version`. An old driver's cuGetProcAddress may give an earlier
/// function of the same name, whose parameters are others. Where only the end of a structure differs, or the parameters can be
/// turned round, the earlier one stands in. Adds to `missing` what is left out.
template <class Find> void leave_out_younger(table& api, int version, Find find, std::vector<symbol>& missing);

/// Fills `api` by asking `find(exported name)` for the address of each function, through cuGetProcAddress where there
/// is one, because that gives each function in the version asked for.
/// Returns: the functions not found.
template <class Find> std::vector<symbol> fill(table& api, Find find);

/// Opens the driver: `TG_LIBCUDA` if it is set, else what the process has loaded, else libcuda.so.1, else libcuda.so,
/// else the one of WSL; on Windows nvcuda.dll. Opening fails silently; `library::reason` says why. The library stays loaded.
inline library open_libcuda();

/// Opens this file and no other.
inline library open_libcuda(const std::string& path);

/// The driver of this process, opened on first use; never destroyed, so that static objects may still free what they
/// own.
inline const library& libcuda() {
  static const library& opened = *new library(open_libcuda());
  return opened;
}

namespace detail {

/// Both generations of cuGetProcAddress, either may be null.
class address_finder {
 public:
  template <class Find>
  explicit address_finder(Find& find)
      : v2_(reinterpret_cast<v2*>(find("cuGetProcAddress_v2"))), v1_(reinterpret_cast<v1*>(find("cuGetProcAddress"))) {}

  void* operator()(const symbol& s) const {
    constexpr unsigned long long legacy_stream = 1;  // CU_GET_PROC_ADDRESS_LEGACY_STREAM
    void* out = nullptr;
    int status = 0;
    result r = result::not_found;
    if (v2_) r = v2_(s.name, &out, s.since, legacy_stream, &status);
    else if (v1_) r = v1_(s.name, &out, s.since, legacy_stream);
    return r == result::success ? out : nullptr;
  }

 private:
  using v2 = result(const char*, void**, int, unsigned long long, int*);
  using v1 = result(const char*, void**, int, unsigned long long);
  v2* v2_;
  v1* v1_;
};

inline void start(library& lib) {
  const auto failed = [&](std::string_view call, result r) {
    if (r == result::success) return false;
    const result_info* info = find_result(r);
    lib.reason = lib.path + ": " + std::string(call) + " returns " +
                 (info ? std::string(info->name) + ", " + info->text : std::to_string(static_cast<int>(r)));
    lib.is_broken = r != result::no_device && r != result::stub_library;
    return true;
  };
  if (lib.api.cuInit == nullptr || lib.api.cuDeviceGetCount == nullptr) {
    lib.reason = lib.path + " is not a CUDA driver: it lacks " + (lib.api.cuInit ? "cuDeviceGetCount" : "cuInit");
    return;
  }
  watch_forks();
  if (is_forked()) {
    lib.reason = lib.path + ": the process was forked after the driver was started; start another program instead";
    lib.is_broken = true;
    return;
  }
  if (failed("cuInit(0)", lib.api.cuInit(0))) return;
  if (lib.api.cuDriverGetVersion) lib.api.cuDriverGetVersion(&lib.version);
  if (failed("cuDeviceGetCount", lib.api.cuDeviceGetCount(&lib.devices))) return;
  if (lib.devices == 0) lib.reason = lib.path + ": the driver sees no device";
}

#if defined(_WIN32)
inline constexpr const char* driver_names[] = {"nvcuda.dll"};
#else
inline constexpr const char* driver_names[] = {"libcuda.so.1", "libcuda.so",
                                               "/usr/lib/wsl/lib/libcuda.so.1"};  // under WSL, where the linker may not look
#endif

inline library fill_from(const std::string& path, const shared_library& opened) {
  library lib;
  lib.path = path;
  lib.is_open = opened.is_open();
  lib.reason = opened.why();
  if (!lib.is_open) return lib;
  const auto find = [&](const char* name) { return opened.find(name); };
  lib.missing = fill(lib.api, find);
  if (int version = 0; lib.api.cuDriverGetVersion && lib.api.cuDriverGetVersion(&version) == result::success)
    leave_out_younger(lib.api, version, find, lib.missing);
  if (const char* file = trusted_variable("TG_LIBCUDA_TRACE")) trace_calls(lib.api, file);
  start(lib);
  return lib;
}

}  // namespace detail

template <class Find> std::vector<symbol> fill(table& api, Find find) {
  std::vector<symbol> missing;
  const detail::address_finder find_version(find);
  for_each_function(api, [&]<class F>(const symbol& s, F*& pointer) {
    void* address = find_version(s);
    if (address == nullptr) address = find(s.exported);
    pointer = reinterpret_cast<F*>(address);
    if (address == nullptr) missing.push_back(s);
  });
  return missing;
}

namespace detail {

/// cuGraphExecUpdate of CUDA 11 has one parameter more and no structure.
inline result (*old_graph_update)(graph_exec_handle, graph_handle, graph_node_handle*, update_result*) = nullptr;

inline result update_graph_of_11(graph_exec_handle exec, graph_handle graph, update_info* info) {
  graph_node_handle node = nullptr;
  update_result why{};
  const result r = old_graph_update(exec, graph, &node, &why);
  if (info) *info = {why, node, node};
  return r;
}

}  // namespace detail

template <class Find> void leave_out_younger(table& api, int version, Find find, std::vector<symbol>& missing) {
  for_each_function(api, [&]<class F>(const symbol& s, F*& pointer) {
    if (s.since <= version || pointer == nullptr) return;
    pointer = nullptr;
    missing.push_back(s);
  });
  const auto stand_in = [&](const char* name, auto& pointer, auto make) {
    if (pointer != nullptr || version >= 12000) return;
    pointer = make(find(name));
    if (pointer != nullptr) std::erase_if(missing, [&](const symbol& s) { return std::string_view(s.name) == name; });
  };
  const auto as_it_is = [&](auto& pointer) {
    return [&](void* found) { return reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(found); };
  };
  stand_in("cuGraphAddKernelNode", api.cuGraphAddKernelNode, as_it_is(api.cuGraphAddKernelNode));
  stand_in("cuGraphKernelNodeGetParams", api.cuGraphKernelNodeGetParams, as_it_is(api.cuGraphKernelNodeGetParams));
  stand_in("cuGraphExecKernelNodeSetParams", api.cuGraphExecKernelNodeSetParams, as_it_is(api.cuGraphExecKernelNodeSetParams));
  stand_in("cuGraphExecUpdate", api.cuGraphExecUpdate, [](void* found) {
    detail::old_graph_update = reinterpret_cast<decltype(detail::old_graph_update)>(found);
    return found ? detail::update_graph_of_11 : nullptr;
  });
}

inline library open_libcuda(const std::string& path) { return detail::fill_from(path, shared_library::open(path)); }

inline library open_libcuda() {
  if (const char* path = trusted_variable("TG_LIBCUDA")) return open_libcuda(path);
  const std::string usual = detail::driver_names[0];
  library lib = detail::fill_from(usual, shared_library::loaded(usual));
  for (const char* const name : detail::driver_names)
    if (library other; !lib.is_open && ((other = open_libcuda(name)).is_open || name == usual)) lib = std::move(other);
  return lib;
}

}  // namespace tg::driver
