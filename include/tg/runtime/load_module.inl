// How code gets onto a device, and into the disk cache on the way.
#pragma once

#include <tg/runtime/load_module.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <tg/analysis/capability_table.hpp>
#include <tg/base/config.hpp>
#include <tg/base/stopwatch.hpp>
#include <tg/runtime/compatibility.hpp>
#include <tg/runtime/content_hash.hpp>
#include <tg/runtime/file_descriptor.hpp>
#include <tg/runtime/image_bounds.hpp>
#include <tg/runtime/jit_request.hpp>
#include <tg/runtime/negotiate.hpp>

namespace tg::runtime {

namespace detail {

/// Errors: TG550.
inline void require_options(const load_options& o, int compute_capability, source_location where) {
  const auto refuse = [&](const std::string& fact) {
    throw error(load_option, "load options: " + fact, "see tg::load_options", where);
  };
  if (o.optimization_level < 0 || o.optimization_level > 4)
    refuse("optimization_level is " + std::to_string(o.optimization_level) + ", the driver's compiler has 0 to 4");
  if (o.max_registers < 0 || o.max_registers > analysis::max_thread_registers)
    refuse("max_registers is " + std::to_string(o.max_registers) + ", a thread has 1 to " +
           std::to_string(analysis::max_thread_registers));
  if (o.target != 0 && !is_code_for(o.target, compute_capability))
    refuse("target is " + std::to_string(o.target) + ", code for it does not run on sm_" + std::to_string(compute_capability));
}

/// Errors: TG551.
inline void require_text(std::string_view name, std::string_view ptx, source_location where) {
  const auto refuse = [&](const std::string& fact) {
    throw error(ptx_text, "the PTX of '" + std::string(name) + "' " + fact, "PTX is ASCII text", where);
  };
  if (ptx.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse("is empty");
  const auto odd = std::ranges::find_if(ptx, [](char c) { return c <= 0 || c > 126; });
  if (odd == ptx.end()) return;
  const auto line = 1 + std::count(ptx.begin(), odd, '\n');
  refuse("has the byte " + driver::detail::hex(static_cast<unsigned char>(*odd)) + " in line " + std::to_string(line));
}

/// The driver's build, as far as the system tells: two builds of one CUDA version may compile differently.
inline const std::string& driver_build() {
  static const std::string text = [] {
    const file_descriptor file = open_to_read("/proc/driver/nvidia/version");
    return file.is_open() ? file.read(1024) : std::string();
  }();
  return text;
}

/// Loads one kernel's code.
class module_loader {
 public:
  module_loader(context& device, std::string_view name, const kernel_source& source, source_location where,
                const load_options& options)
      : device_(device), name_(name), where_(where), options_(options), capture_(device.api(), capture_rule::unsafe) {
    require_options(options, device.limits().compute_capability, where);
    require_text(name, source.ptx, where);
    source_ = negotiate(device, name, source, where, options.target);
  }

  loaded_module load() {
    const stopwatch watch;
    if (!load_package() && !load_cached()) compile();
    made_.load_us = watch.us();
    made_.ptx = std::move(source_.ptx);
    return std::move(made_);
  }

  machine_code code() {
    std::string image = link();
    if (image.empty()) fail(linked_, log_);
    return {target_sm(), std::move(image)};
  }

 private:
  int target_sm() const { return options_.target != 0 ? options_.target : device_.limits().compute_capability; }
  unsigned target() const { return jit_target(target_sm(), source_.target_suffix); }

  /// The code that the package brings was compiled with options of its own: it is taken when none are asked for.
  bool load_package() {
    if (options_.target != 0 || options_.max_registers != 0 || options_.optimization_level != 4) return false;
    return std::ranges::any_of(source_.code, [&](const machine_code& code) {
      return is_code_for(code.sm, device_.limits().compute_capability) &&
             load_image(code.image, code_origin::package) == driver::result::success;
    });
  }

  /// From the disk cache, or through it: what the driver makes is kept. False where there is no cache, and when the
  /// driver fails, so that the plain way can say why.
  bool load_cached() {
    const auto cache = usable_cache();
    if (cache == nullptr) return false;
    const std::string key = cache_key();
    if (const auto image = cache->find(key)) {
      const driver::result r = load_image(*image, code_origin::disk_cache);
      if (r == driver::result::success) return true;
      const auto why = driver::code_of(r);
      if (why != driver::ptx_refused && why != driver::driver_too_old) return false;  // not the fault of the code
      cache->reject(key);
    }
    if (options_.is_tiered && options_.optimization_level > 0) return false;
    const std::string image = link();
    if (image.empty() || load_image(image, code_origin::compiler) != driver::result::success) return false;
    cache->store(key, image);
    return true;
  }

  /// The one that was set, else that of the process. What the emulator compiles is parsed again in any case, so there
  /// the cache has to be asked for.
  std::shared_ptr<tg::disk_cache> usable_cache() const {
    if (!options_.uses_cache) return nullptr;
    if (const auto set = device_.modules().disk_cache()) return *set;
    return device_.is_emulated() ? nullptr : tg::disk_cache::of_process();
  }

  std::string cache_key() const {
    std::string facts = hash_of(source_.ptx).text();
    const auto add = [&](const std::string& fact) { facts.append(1, '\n').append(fact); };
    add(std::to_string(options_.optimization_level) + ' ' + std::to_string(options_.max_registers) + ' ' +
        std::to_string(options_.line_info) + ' ' + std::to_string(target()));
    add(std::to_string(device_.limits().driver_version) + ' ' + driver_build());
    add(device_.name());
    return hash_of(facts).text();
  }

  driver::result load_image(const std::string& image, code_origin origin) {
    if (!is_inside(image)) return driver::result::invalid_image;
    const driver::result r =
        device_.attempt(device_.api().cuModuleLoadDataEx, &made_.native, static_cast<const void*>(image.c_str()), 0u,
                        static_cast<driver::jit_option*>(nullptr), static_cast<void**>(nullptr));
    if (r != driver::result::success && device_.is_emulated()) device_.api().take_report();
    made_.origin = origin;
    return r;
  }

  /// The driver's machine code; empty when it makes none.
  std::string link() {
    const auto& api = device_.api();
    if (!api.cuLinkCreate || !api.cuLinkAddData || !api.cuLinkComplete || !api.cuLinkDestroy) {
      linked_ = driver::result::call_requires_newer_driver;
      return {};
    }
    jit_request request(options_, target());  // without a target linking makes slower code
    driver::link_handle link = nullptr;
    linked_ = device_.attempt(api.cuLinkCreate, request.count(), request.keys(), request.values(), &link);
    if (linked_ != driver::result::success) return {};
    std::string out;
    void* image = nullptr;
    std::size_t bytes = 0;
    linked_ = device_.attempt(api.cuLinkAddData, link, driver::jit_input::ptx, static_cast<void*>(source_.ptx.data()),
                              source_.ptx.size() + 1, std::string(name_).c_str(), 0u, static_cast<driver::jit_option*>(nullptr),
                              static_cast<void**>(nullptr));
    if (linked_ == driver::result::success) linked_ = device_.attempt(api.cuLinkComplete, link, &image, &bytes);
    if (linked_ == driver::result::success && image) out.assign(static_cast<const char*>(image), bytes);
    if (linked_ == driver::result::success && out.empty()) linked_ = driver::result::invalid_image;
    if (linked_ != driver::result::success && device_.is_emulated()) api.take_report();  // the log has it
    log_ = request.errors();
    made_.log = request.info();
    made_.warnings = log_;
    device_.attempt(api.cuLinkDestroy, link);  // and with it the image
    return out;
  }

  void compile() {
    load_options options = options_;
    if (options.is_tiered && options.optimization_level > 0) {
      options.optimization_level = 0;
      if (compile(options) == driver::result::success) {
        made_.origin = code_origin::first_tier;
        return;
      }
      options = options_;
    }
    driver::result r = compile(options);
    if (r == driver::result::success) return;
    if (options.retry_unoptimized && options.optimization_level > 0 && !driver::is_sticky(r)) {
      const std::string first = log_;
      options.optimization_level = 0;
      if (compile(options) == driver::result::success) {
        made_.warnings = "compiled at optimization level 0, because level " + std::to_string(options_.optimization_level) +
                         " failed: " + first;
        return;
      }
    }
    fail(r, log_);
  }

  driver::result compile(const load_options& options) {
    jit_request request(options, options.target == 0 ? 0 : target());
    const driver::result r =
        device_.attempt(device_.api().cuModuleLoadDataEx, &made_.native, static_cast<const void*>(source_.ptx.c_str()),
                        request.count(), request.keys(), request.values());
    made_.origin = code_origin::compiler;
    made_.log = request.info();
    made_.warnings = log_ = request.errors();
    return r;
  }

  [[noreturn]] void fail(driver::result r, const std::string& log) {
    if (driver::code_of(r) == driver::ptx_refused && device_.is_emulated()) device_.api().take_report();  // the log has it
    std::string call = "loading the PTX of '" + std::string(name_) + "'";
    if (!log.empty()) call.append(": ").append(log);
    device_.fail(r, call, where_);
  }

  context& device_;
  std::string_view name_;
  source_location where_;
  load_options options_;
  relaxed_capture capture_;
  kernel_source source_;
  loaded_module made_;
  driver::result linked_ = driver::result::success;
  std::string log_;
};

}  // namespace detail

TG_LIBRARY_FUNCTION loaded_module load_module(context& device, std::string_view name, const kernel_source& source,
                                              source_location where, const load_options& options) {
  return detail::module_loader(device, name, source, where, options).load();
}

TG_LIBRARY_FUNCTION machine_code make_code(context& device, std::string_view name, const kernel_source& source,
                                           source_location where, const load_options& options) {
  return detail::module_loader(device, name, source, where, options).code();
}

}  // namespace tg::runtime
