// Makes a loaded kernel from a C++ kernel: tracing, lowering, printing, the driver's compiler.
#pragma once

#include <string>

#include <tg/base/stopwatch.hpp>
#include <tg/runtime/context.hpp>
#include <tg/runtime/source.hpp>

namespace tg::runtime {

/// How the driver compiles PTX.
struct load_options {
  int optimization_level = 4;
  int max_registers = 0;  // per thread; 0: as many as it likes
  bool line_info = true;
};

/// The newest PTX that a driver of this CUDA version reads. Source: PTX ISA 9.0, section 13, "Release Notes".
constexpr ptx::isa_version newest_ptx(int driver_version) {
  const int major = driver_version / 1000;
  const int minor = driver_version % 1000 / 10;
  if (major < 11) return {6, major < 10 ? 0 : 3 + minor};
  if (major == 11) return {7, minor};
  if (major == 12) return {8, minor < 6 ? minor : minor - 1};
  return {major - 4, minor};
}

/// Errors: TG506 when the kernel needs newer PTX than the driver reads or a newer device.
inline void require_support(const context& device, std::string_view kernel, const kernel_source& source,
                            source_location where) {
  const auto refuse = [&](const std::string& fact) {
    throw error(driver::driver_too_old, "kernel '" + std::string(kernel) + "' needs " + fact,
                driver::fix_of(driver::driver_too_old), where);
  };
  const auto newest = newest_ptx(device.limits().driver_version);
  if (source.version > newest)
    refuse("PTX " + std::to_string(source.version.major) + "." + std::to_string(source.version.minor) +
           ", the driver of '" + device.name() + "' reads up to " + std::to_string(newest.major) + "." +
           std::to_string(newest.minor));
  if (source.sm > device.limits().compute_capability)
    refuse("sm_" + std::to_string(source.sm) + ", '" + device.name() + "' is sm_" +
           std::to_string(device.limits().compute_capability));
}

/// Loads a kernel on a device and reads back what the driver made of it.
/// Errors: TG505 with the log of the driver's compiler, TG506, TG507.
inline compiled_kernel load(context& device, std::string_view name, const kernel_source& source, source_location where,
                            const load_options& options = {}) {
  using driver::jit_option;
  using driver::function_attribute;
  require_support(device, name, source, where);
  compiled_kernel out;
  out.name = name;
  out.ptx = source.ptx;
  out.make_us = source.make_us;
  std::string info(4096, '\0'), errors(8192, '\0');
  const auto number = [](auto value) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(value)); };
  jit_option keys[] = {jit_option::info_log_buffer,  jit_option::info_log_buffer_size_bytes,
                       jit_option::error_log_buffer, jit_option::error_log_buffer_size_bytes,
                       jit_option::optimization_level, jit_option::generate_line_info,
                       jit_option::max_registers};
  void* values[] = {info.data(), number(info.size()), errors.data(), number(errors.size()),
                    number(options.optimization_level), number(options.line_info), number(options.max_registers)};
  const unsigned count = options.max_registers > 0 ? 7 : 6;
  const auto& api = device.api();
  const stopwatch watch;
  const driver::result r =
      device.attempt(api.cuModuleLoadDataEx, &out.module, static_cast<const void*>(out.ptx.c_str()), count, keys, values);
  out.load_us = watch.us();
  out.log = info.c_str();
  if (r != driver::result::success) {
    if (driver::code_of(r) == driver::ptx_refused && api.take_report) api.take_report();  // the log has it
    std::string call = "loading the PTX of '" + out.name + "'";
    if (errors[0] != '\0') call.append(": ").append(errors.c_str());
    device.fail(r, call, where);
  }
  try {
    device.call(api.cuModuleGetFunction, &out.function, out.module, static_cast<const char*>(out.name.c_str()));
    const auto read = [&](int& to, function_attribute a) { device.call(api.cuFuncGetAttribute, &to, a, out.function); };
    read(out.registers, function_attribute::num_regs);
    read(out.static_shared_bytes, function_attribute::shared_size_bytes);
    read(out.local_bytes, function_attribute::local_size_bytes);
    read(out.max_threads, function_attribute::max_threads_per_block);
  } catch (...) {
    device.attempt(api.cuModuleUnload, out.module);
    throw;
  }
  return out;
}

}  // namespace tg::runtime
