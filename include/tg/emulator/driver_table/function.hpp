// The emulated driver's calls about kernels of modules.
#pragma once

#include <algorithm>

#include <tg/emulator/driver_table/module.hpp>

namespace tg::emulator::entry {

using driver::function_attribute;

/// The largest block that the directives of the kernel allow.
inline int max_threads(const kernel_info& k) {
  const auto& bound = k.required_threads[0] ? k.required_threads : k.max_threads;
  if (bound[0] == 0) return limits::threads_per_block;
  return static_cast<int>(bound[0] * std::max(bound[1], 1u) * std::max(bound[2], 1u));
}

inline const ptx::function& source_of(const function& f) { return f.code->source().functions[f.code->function_of(f.index)]; }

/// The bytes of the module's variables in constant memory, which every kernel of it can read.
inline int constant_bytes(const function& f) {
  std::uint64_t end = 0;
  for (const ptx::variable& v : f.code->source().variables) {
    if (v.space != ptx::token::const_) continue;
    const std::uint64_t element = static_cast<std::uint64_t>(ptx::width_bits(v.type)) / 8;
    const std::uint64_t unit = std::max<std::uint64_t>({1, v.align, element});
    end = (end + unit - 1) / unit * unit + f.code->find_symbol(v.name)->size_bytes;
  }
  return static_cast<int>(end);
}

inline int value_of(const function& f, function_attribute attribute) {
  const kernel_info& k = f.info();
  const auto& cluster = source_of(f).bounds.cluster;
  switch (attribute) {
    case function_attribute::max_threads_per_block: return max_threads(k);
    case function_attribute::shared_size_bytes: return static_cast<int>(k.static_shared_bytes);
    case function_attribute::const_size_bytes: return constant_bytes(f);
    case function_attribute::cache_mode_ca: return 0;
    case function_attribute::local_size_bytes: return static_cast<int>(k.local_bytes);
    case function_attribute::num_regs: return static_cast<int>(k.register_count);
    case function_attribute::ptx_version: return f.code->source().sm;
    case function_attribute::binary_version: return 10 * limits::capability_major + limits::capability_minor;
    case function_attribute::max_dynamic_shared_size_bytes: return f.max_dynamic_shared_bytes;
    case function_attribute::preferred_shared_memory_carveout: return f.carveout;
    case function_attribute::cluster_size_must_be_set: return f.needs_cluster || source_of(f).bounds.explicit_cluster;
    case function_attribute::required_cluster_width: return static_cast<int>(cluster[0]);
    case function_attribute::required_cluster_height: return static_cast<int>(cluster[1]);
    case function_attribute::required_cluster_depth: return static_cast<int>(cluster[2]);
    case function_attribute::non_portable_cluster_size_allowed: return f.allows_big_clusters;
    case function_attribute::cluster_scheduling_policy_preference: return f.cluster_policy;
  }
  throw refused{result::invalid_value};
}

inline void set_value(function& f, function_attribute attribute, int value) {
  switch (attribute) {
    case function_attribute::max_dynamic_shared_size_bytes:
      require(value >= 0 && value + f.info().static_shared_bytes <= std::size_t{limits::shared_bytes_opt_in});
      f.max_dynamic_shared_bytes = value;
      return;
    case function_attribute::preferred_shared_memory_carveout:
      require(value >= -1 && value <= 100);
      f.carveout = value;
      return;
    case function_attribute::cluster_size_must_be_set: f.needs_cluster = value != 0; return;
    case function_attribute::non_portable_cluster_size_allowed: f.allows_big_clusters = value != 0; return;
    case function_attribute::cluster_scheduling_policy_preference: f.cluster_policy = value; return;
    default: throw refused{result::invalid_value};
  }
}

inline result cuFuncGetAttribute(int* value, function_attribute attribute, function_handle function) {
  return guarded([&](machine& m) {
    require(value);
    *value = value_of(*m.functions.at(function), attribute);
  });
}

inline result cuFuncSetAttribute(function_handle function, function_attribute attribute, int value) {
  return guarded([&](machine& m) { set_value(*m.functions.at(function), attribute, value); });
}

inline result cuFuncSetCacheConfig(function_handle function, int config) {
  return guarded([&](machine& m) {
    m.functions.at(function);
    require(config >= 0 && config <= 3);
  });
}
inline result cuFuncSetSharedMemConfig(function_handle function, int config) { return cuFuncSetCacheConfig(function, config); }

inline result cuFuncGetModule(module_handle* module, function_handle function) {
  return guarded([&](machine& m) {
    require(module);
    *module = m.functions.at(function)->home;
  });
}

inline result cuFuncGetName(const char** name, function_handle function) {
  return guarded([&](machine& m) {
    require(name);
    *name = m.functions.at(function)->info().name.c_str();
  });
}

inline result cuFuncGetParamInfo(function_handle function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return guarded([&](machine& m) {
    require(offset);
    const auto& parameters = m.functions.at(function)->info().parameters;
    require(index < parameters.size());
    *offset = parameters[index].offset_in_code_bytes;
    if (bytes) *bytes = parameters[index].size_bytes;
  });
}

inline result cuFuncIsLoaded(int* is_loaded, function_handle function) {
  return guarded([&](machine& m) {
    require(is_loaded);
    m.functions.at(function);
    *is_loaded = 1;
  });
}

inline result cuFuncLoad(function_handle function) {
  return guarded([&](machine& m) { m.functions.at(function); });
}

}  // namespace tg::emulator::entry
