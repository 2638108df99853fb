// Opens the NVIDIA driver by name at run time and fills the table from it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/base/environment.hpp>
#include <tg/base/shared_library.hpp>
#include <tg/driver/api.hpp>
#include <tg/driver/call_trace.hpp>

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

/// Fills `api` by asking `find(exported name)` for the address of each function, through cuGetProcAddress where there
/// is one, because that gives each function in the version asked for.
/// Returns: the functions not found.
template <class Find> std::vector<symbol> fill(table& api, Find find);

/// Opens the driver: `TG_LIBCUDA` if it is set, else what the process has loaded, else libcuda.so.1, else libcuda.so;
/// on Windows nvcuda.dll. Opening fails silently; `library::reason` says why. The library stays loaded.
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
  if (failed("cuInit(0)", lib.api.cuInit(0))) return;
  if (lib.api.cuDriverGetVersion) lib.api.cuDriverGetVersion(&lib.version);
  if (failed("cuDeviceGetCount", lib.api.cuDeviceGetCount(&lib.devices))) return;
  if (lib.devices == 0) lib.reason = lib.path + ": the driver sees no device";
}

#if defined(_WIN32)
inline constexpr const char* driver_names[] = {"nvcuda.dll"};
#else
inline constexpr const char* driver_names[] = {"libcuda.so.1", "libcuda.so"};
#endif

inline library fill_from(const std::string& path, const shared_library& opened) {
  library lib;
  lib.path = path;
  lib.is_open = opened.is_open();
  lib.reason = opened.why();
  if (!lib.is_open) return lib;
  lib.missing = fill(lib.api, [&](const char* name) { return opened.find(name); });
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
