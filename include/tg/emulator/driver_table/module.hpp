// The emulated driver's calls about modules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/file.hpp>
#include <tg/emulator/decode/kept_text.hpp>
#include <tg/emulator/decode/program.hpp>
#include <tg/emulator/driver_table/context.hpp>
#include <tg/emulator/driver_table/fat_binary.hpp>
#include <tg/emulator/driver_table/jit_options.hpp>
#include <tg/ptx/parse/parse.hpp>

namespace tg::emulator::entry {

using driver::device_address;
using driver::function_handle;
using driver::module_handle;

struct module {
  context_handle owner;
  std::shared_ptr<const program> code;
  dynamic_array<function_handle> functions;  // in the order of the program's kernels
};

/// What the calls of CUDA 3 keep for the next cuLaunch of a kernel.
struct kept_launch {
  int block_x = 0, block_y = 0, block_z = 0;  // 0: not set
  unsigned shared_bytes = 0;
  dynamic_array<std::byte> parameters;
};

struct function {
  context_handle owner;
  module_handle home;
  std::shared_ptr<const program> code;
  std::size_t index;
  int max_dynamic_shared_bytes;
  int carveout = -1;
  bool needs_cluster = false;
  bool allows_big_clusters = false;
  int cluster_policy = 0;
  kept_launch kept{};

  const kernel_info& info() const { return code->kernels()[index]; }
};

/// The program of a PTX text, with what the options say of its kernels.
inline std::shared_ptr<const program> load_program(machine& m, const std::string& text, const jit_options& options) {
  if (options.max_registers() == 0) return program::load(text, m.memory);
  ptx::line_map lines;
  ptx::module parsed = ptx::parse(text, lines);
  options.limit_registers(parsed);
  auto made = program::load(std::move(parsed), m.memory, std::move(lines));
  keep_text(text);
  return made;
}

/// Adds the module that a PTX text makes; one without an owner outlives every context.
inline module_handle add_module(machine& m, const std::string& text, context_handle owner,
                                const jit_options& options = {0, nullptr, nullptr}) {
  const auto made = std::make_shared<module>(module{owner, load_program(m, text, options), {}});
  const module_handle handle = m.modules.add(made);
  for (std::size_t i = 0; i < made->code->kernels().size(); ++i) {
    const int room = limits::shared_bytes - static_cast<int>(made->code->kernels()[i].static_shared_bytes);
    made->functions.push_back(
        m.functions.add(std::make_shared<function>(function{owner, handle, made->code, i, std::max(0, room)})));
  }
  return handle;
}

inline void remove_module(machine& m, module_handle module) {
  const auto gone = m.modules.take(module);
  for (const function_handle f : gone->functions) m.functions.take(f);
}

/// A handle for the kernel of this name. Errors: not_found.
inline function_handle find_function(machine& m, module_handle module, const char* name) {
  const entry::module& from = *m.modules.at(module);
  const auto index = from.code->find_kernel(name);
  require(index.has_value(), result::not_found);
  return from.functions[*index];
}

/// Address and size of the variable of this name. Errors: not_found.
inline symbol find_variable(machine& m, module_handle module, const char* name) {
  const auto found = m.modules.at(module)->code->find_symbol(name);
  require(found.has_value(), result::not_found);
  return *found;
}

/// A file's bytes with a 0 behind them. Errors: file_not_found.
inline std::string read_file(const char* path) {
  std::optional<std::string> bytes = tg::read_file(path);
  require(bytes.has_value(), result::file_not_found);
  return *std::move(bytes);
}

inline result cuModuleLoadDataEx(module_handle* out, const void* image, unsigned count, jit_option* options, void** values) {
  return guarded([&](machine& m) {
    require(out && image);
    const context_handle owner = current(m);
    forbid_in_capture(m);
    jit_options heeded(count, options, values);
    heeded.log([&] { *out = add_module(m, text_of_image(image), owner, heeded); });
  });
}

inline result cuModuleLoadData(module_handle* out, const void* image) {
  return cuModuleLoadDataEx(out, image, 0, nullptr, nullptr);
}
inline result cuModuleLoadFatBinary(module_handle* out, const void* image) { return cuModuleLoadData(out, image); }

inline result cuModuleLoad(module_handle* out, const char* path) {
  return guarded([&](machine& m) {
    require(out && path);
    forbid_in_capture(m);
    *out = add_module(m, text_of_image(read_file(path).c_str()), current(m));
  });
}

inline result cuModuleUnload(module_handle module) {
  return guarded([&](machine& m) {
    forbid_in_capture(m);
    wait_for_all(m);
    remove_module(m, module);
  });
}

inline result cuModuleGetFunction(function_handle* out, module_handle module, const char* name) {
  return guarded([&](machine& m) {
    require(out && name);
    *out = find_function(m, module, name);
  });
}

inline result cuModuleGetFunctionCount(unsigned* count, module_handle module) {
  return guarded([&](machine& m) {
    require(count);
    *count = static_cast<unsigned>(m.modules.at(module)->functions.size());
  });
}

inline result cuModuleEnumerateFunctions(function_handle* out, unsigned count, module_handle module) {
  return guarded([&](machine& m) {
    require(out);
    const auto& functions = m.modules.at(module)->functions;
    std::copy_n(functions.begin(), std::min<std::size_t>(count, functions.size()), out);
  });
}

inline result cuModuleGetGlobal(device_address* address, std::size_t* bytes, module_handle module, const char* name) {
  return guarded([&](machine& m) {
    require(name);
    const symbol found = find_variable(m, module, name);
    if (address) *address = found.address;
    if (bytes) *bytes = found.size_bytes;
  });
}

/// Modules are loaded when they are given: CU_MODULE_EAGER_LOADING.
inline result cuModuleGetLoadingMode(int* mode) {
  return guarded([&](machine&) {
    require(mode);
    *mode = 1;
  });
}

}  // namespace tg::emulator::entry
