// Named ranges on the time line of NVIDIA's profilers, when one is attached; nothing otherwise.
// Source: NVTX 3, nvtxDetail/nvtxTypes.h and nvtxInit.h: how a profiler's library is found and hands its functions
// over.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/base/environment.hpp>
#include <tg/base/shared_library.hpp>

namespace tg::nvtx {

/// What a profiler gives: null where it takes no interest.
struct functions {
  int (*push)(const char* name) = nullptr;
  int (*pop)() = nullptr;
  void (*mark)(const char* name) = nullptr;

  bool is_on() const { return push != nullptr && pop != nullptr; }
};

/// The functions of the profiler that NVTX_INJECTION64_PATH names or that has put itself into the process, else those
/// of libnvToolsExt where it is installed.
const functions& of_process();

/// A range of this thread, from here to the end of the scope. Ranges nest. Cost: one comparison when nobody looks.
class range {
 public:
  explicit range(const char* name, const functions& profiler = of_process()) : pop_(profiler.is_on() ? profiler.pop : nullptr) {
    if (pop_) [[unlikely]]
      profiler.push(name);
  }
  range(const range&) = delete;
  range& operator=(const range&) = delete;
  ~range() {
    if (pop_) [[unlikely]]
      pop_();
  }

 private:
  int (*pop_)();
};

/// A moment on the time line.
inline void mark(const char* name, const functions& profiler = of_process()) {
  if (profiler.mark) [[unlikely]]
    profiler.mark(name);
}

/// A function of the table that a profiler fills.
using function = void (*)();
/// How a profiler asks for a table.
using get_export_table = const void* (*)(std::uint32_t number);
/// What a profiler exports: it takes the function that gives tables.
using initialize_injection = int (*)(get_export_table);

/// The functions that a profiler puts into the table it is shown; none when it declines.
functions connect(initialize_injection initialize);

namespace detail {

/// NVTX_CB_MODULE_CORE: places for functions, numbered by NVTX_CBID_CORE, behind an empty one and before an empty one.
struct core_module {
  static constexpr std::size_t mark_a = 2, range_push_a = 9, range_pop = 11, size = 16;

  function filled[size] = {};
  function* places[size + 1] = {};

  core_module() {
    for (std::size_t i = 1; i < size; ++i) places[i] = &filled[i];
  }
};

inline core_module& core() {
  static core_module& only = *new core_module;  // the profiler may write to it until the process ends
  return only;
}

inline int get_module_functions(int module, function*** table, unsigned* size) {
  constexpr int core_number = 1;
  if (module != core_number) return 0;
  if (size) *size = static_cast<unsigned>(core_module::size);
  if (table) *table = core().places;
  return 1;
}

inline void set_injection_version(std::uint32_t) {}

struct callbacks_table {
  std::size_t struct_size;
  int (*get_module_functions)(int module, function*** table, unsigned* size);
};

struct version_table {
  std::size_t struct_size;
  std::uint32_t version, reserved;
  void (*set_injection_version)(std::uint32_t version);
};

inline const void* export_table(std::uint32_t number) {
  constexpr std::uint32_t callbacks_number = 1, version_number = 3, version = 3;
  static constexpr callbacks_table callbacks{sizeof(callbacks_table), get_module_functions};
  static constexpr version_table versions{sizeof(version_table), version, 0, set_injection_version};
  if (number == callbacks_number) return &callbacks;
  return number == version_number ? static_cast<const void*>(&versions) : nullptr;
}

inline functions find() {
  initialize_injection initialize = nullptr;
  if (const char* path = trusted_variable("NVTX_INJECTION64_PATH")) {
    initialize = reinterpret_cast<initialize_injection>(shared_library::open(path).find("InitializeInjectionNvtx2"));
  } else {
    initialize = reinterpret_cast<initialize_injection>(shared_library::process().find("InitializeInjectionNvtx2Preinject"));
  }
  if (initialize) return connect(initialize);
  functions out;
  const auto tools = shared_library::open("libnvToolsExt.so.1");
  out.push = reinterpret_cast<decltype(out.push)>(tools.find("nvtxRangePushA"));
  out.pop = reinterpret_cast<decltype(out.pop)>(tools.find("nvtxRangePop"));
  out.mark = reinterpret_cast<decltype(out.mark)>(tools.find("nvtxMarkA"));
  return out;
}

}  // namespace detail

inline functions connect(initialize_injection initialize) {
  functions out;
  if (initialize(detail::export_table) == 0) return out;
  const auto& filled = detail::core().filled;
  using core = detail::core_module;
  out.push = reinterpret_cast<decltype(out.push)>(filled[core::range_push_a]);
  out.pop = reinterpret_cast<decltype(out.pop)>(filled[core::range_pop]);
  out.mark = reinterpret_cast<decltype(out.mark)>(filled[core::mark_a]);
  return out;
}

inline const functions& of_process() {
  static const functions found = detail::find();
  return found;
}

}  // namespace tg::nvtx
