// How kernels are compiled: once, and with tiers first fast and then well.
#pragma once

#include <tg/runtime/compile.hpp>

#include <memory>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/runtime/background.hpp>
#include <tg/runtime/launch.hpp>
#include <tg/runtime/load_module.hpp>
#include <tg/runtime/shared_sizes.hpp>

namespace tg::runtime {

namespace detail {

/// A kernel that is loaded and can run with blocks of its size. Errors: those of `load`, TG522.
inline compiled_kernel load_for_block(context& device, const kernel_request& k, const kernel_source& source,
                                      const load_options& options) {
  compiled_kernel made = load(device, k.name, source, k.where, options);
  try {
    require_block(device, made, k.block, k.where);
  } catch (...) {
    device.release(device.api().cuModuleUnload, made.module);
    throw;
  }
  return made;
}

/// Makes a kernel. With tiers that is the fast one; `publish` gets the good one later, from another thread.
template <class Publish>
compiled_kernel make(context& device, const kernel_request& k, kernel_source source, load_options options, Publish publish) {
  if (!options.is_tiered) return load_for_block(device, k, source, options);
  load_options whole = options;
  whole.is_tiered = false;
  compiled_kernel first;
  try {
    first = load_for_block(device, k, source, options);
  } catch (const error&) {  // unoptimised code may need too many registers for the block
    return load_for_block(device, k, source, whole);
  }
  if (first.origin == code_origin::first_tier)
    device.modules().background().post(
        [&device, publish, whole, name = std::string(k.name), block = k.block, where = k.where, source = std::move(source)] {
          const kernel_request again{name, block, where, nullptr, nullptr, std::nullopt};
          publish(device.modules().keep(load_for_block(device, again, source, whole)));
        });
  return first;
}

inline std::string key_of(std::string_view name, const std::string& ptx) { return (std::string(name) + '\n').append(ptx); }

inline std::string key_of(const std::string& text, const load_options& o) {
  const int values[] = {o.optimization_level, o.max_registers, o.target,    o.line_info,
                        o.retry_unoptimized,  o.is_tiered,     o.uses_cache};
  std::string out = text;
  for (const int value : values) out.append(1, '\n').append(std::to_string(value));
  return out;
}

}  // namespace detail

TG_LIBRARY_FUNCTION compiled_kernel load(context& device, std::string_view name, const kernel_source& source,
                                         source_location where, const load_options& options) {
  using driver::function_attribute;
  loaded_module module = load_module(device, name, source, where, options);
  compiled_kernel out;
  out.name = name;
  out.ptx = std::move(module.ptx);
  out.module = module.native;
  out.make_us = source.make_us;
  out.load_us = module.load_us;
  out.log = std::move(module.log);
  out.warnings = std::move(module.warnings);
  out.origin = module.origin;
  out.most_blocks = source.most_blocks;
  out.more_threads = source.more_threads;
  const auto& api = device.api();
  try {
    device.call(api.cuModuleGetFunction, &out.function, out.module, static_cast<const char*>(out.name.c_str()));
    const auto read = [&](int& to, function_attribute a) { device.call(api.cuFuncGetAttribute, &to, a, out.function); };
    read(out.registers, function_attribute::num_regs);
    read(out.static_shared_bytes, function_attribute::shared_size_bytes);
    read(out.local_bytes, function_attribute::local_size_bytes);
    read(out.max_threads, function_attribute::max_threads_per_block);
    if (out.ptx.find(".reqnctapercluster") != std::string::npos) {
      using enum function_attribute;
      const function_attribute extents[] = {required_cluster_width, required_cluster_height, required_cluster_depth};
      for (std::size_t k = 0; k < 3; ++k) {
        int blocks = 0;
        read(blocks, extents[k]);
        out.cluster[k] = static_cast<std::uint32_t>(blocks);
      }
    }
    plan_launches(device, out, where);
  } catch (...) {
    device.release(api.cuModuleUnload, out.module);
    throw;
  }
  return out;
}

namespace detail {

/// The kernel that is found by `key`, a number or a text. `find_source` gives its source if it has to be made.
template <class Key, class Source>
const compiled_kernel& compile(context& device, const kernel_request& k, const Key& key, Source find_source) {
  module_cache& modules = device.modules();
  return modules.find_or_make(key, [&] {
    return make(device, k, find_source(), modules.options(),
                [&modules, key](const compiled_kernel& good) { modules.replace(key, good); });
  });
}

/// A kernel with captures: found by its text the first time, and from then on by `number`.
inline const compiled_kernel& compile_captures(context& device, const kernel_request& k, std::size_t number,
                                               kernel_source source) {
  module_cache& modules = device.modules();
  const std::string key = key_of(k.name, source.ptx);
  const auto find = [&]() -> const compiled_kernel& {
    return modules.find_or_make(key, [&] {
      return make(device, k, std::move(source), modules.options(), [&modules, key, number](const compiled_kernel& good) {
        modules.replace(key, good);
        modules.replace(number, good);
      });
    });
  };
  const compiled_kernel& made = find();
  if (made.origin != code_origin::first_tier) modules.replace(number, made);  // a better one is on its way
  return made;
}

/// The code of a kernel with load options of its own: made once for each set of options, and found by `key` from now on.
template <class Key>
const compiled_kernel& compile_as(context& device, const kernel_request& k, const Key& key, kernel_source source,
                                  const load_options& options) {
  module_cache& modules = device.modules();
  const std::string own = key_of(key_of(k.name, source.ptx), options);
  const auto find = [&]() -> const compiled_kernel& {
    return modules.find_or_make(own, [&] {
      return make(device, k, std::move(source), options, [&modules, own, key](const compiled_kernel& good) {
        modules.replace(own, good);
        modules.replace(key, good);
      });
    });
  };
  const compiled_kernel* made = &find();
  modules.replace(key, *made);
  if (const compiled_kernel* good = &find(); good != made) modules.replace(key, *(made = good));  // it came in between
  return *made;
}

}  // namespace detail

TG_LIBRARY_FUNCTION const compiled_kernel& compile(context& device, const kernel_request& k, const load_options* options) {
  if (k.number && !options && !k.has_captures) return detail::compile(device, k, *k.number, [&] { return k.make(k.kernel); });
  kernel_source source = k.make(k.kernel);
  if (k.number && !options) return detail::compile_captures(device, k, *k.number, std::move(source));
  if (k.number) return detail::compile_as(device, k, *k.number, std::move(source), *options);
  const std::string key = detail::key_of(k.name, source.ptx);
  if (options) return detail::compile_as(device, k, key, std::move(source), *options);
  return detail::compile(device, k, key, [&] { return std::move(source); });
}

}  // namespace tg::runtime
