// The emulated driver's calls about modules, kernels and linking. What its linker makes is PTX text again.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <tg/emulator/driver_table/context.hpp>
#include <tg/emulator/program.hpp>

namespace tg::emulator::entry {

using driver::device_address;
using driver::function_attribute;
using driver::function_handle;
using driver::jit_input;
using driver::jit_option;
using driver::link_handle;
using driver::module_handle;

struct module {
  context_handle owner;
  std::shared_ptr<const program> code;
};

struct function {
  context_handle owner;
  std::shared_ptr<const program> code;
  std::size_t index;
  int max_dynamic_shared_bytes;
  int carveout = -1;

  const kernel_info& info() const { return code->kernels()[index]; }
};

struct link {
  context_handle owner;
  std::string text;
};

/// The options of a load that the emulator heeds: the logs and the time.
class jit_options {
 public:
  jit_options(unsigned count, jit_option* options, void** values) {
    require(count == 0 || (options && values));
    for (unsigned i = 0; i < count; ++i) switch (options[i]) {
        case jit_option::info_log_buffer: info_.text = static_cast<char*>(values[i]); break;
        case jit_option::info_log_buffer_size_bytes: info_.size = &values[i]; break;
        case jit_option::error_log_buffer: error_.text = static_cast<char*>(values[i]); break;
        case jit_option::error_log_buffer_size_bytes: error_.size = &values[i]; break;
        case jit_option::wall_time: wall_time_ = &values[i]; break;
        default: break;
      }
  }

  /// Writes the logs and the time since construction, as the driver does: sizes and time replace the options' values.
  void finish(std::string_view info, std::string_view error) {
    info_.write(info);
    error_.write(error);
    if (wall_time_ == nullptr) return;
    const float milliseconds = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start_).count();
    std::memcpy(wall_time_, &milliseconds, sizeof milliseconds);
  }

 private:
  struct log {
    char* text = nullptr;
    void** size = nullptr;

    void write(std::string_view message) {
      if (text == nullptr || size == nullptr) return;
      const auto room = static_cast<std::size_t>(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(*size)));
      if (room == 0) return;
      const std::size_t length = std::min(message.size(), room - 1);
      std::memcpy(text, message.data(), length);
      text[length] = '\0';
      *size = reinterpret_cast<void*>(length);
    }
  };

  log info_;
  log error_;
  void** wall_time_ = nullptr;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Refuses machine code for a GPU: an ELF file, or a fat binary by its magic number.
inline void require_text(const void* image) {
  const auto* bytes = static_cast<const unsigned char*>(image);
  constexpr unsigned char elf[] = {0x7f, 'E', 'L', 'F'};
  constexpr unsigned char fat[] = {0x50, 0xed, 0x55, 0xba};
  for (const auto& magic : {elf, fat})
    require(!std::equal(magic, magic + 4, bytes, [](unsigned char a, unsigned char b) { return b != 0 && a == b; }),
            result::no_binary_for_gpu);
}

inline result cuModuleLoadDataEx(module_handle* out, const void* image, unsigned count, jit_option* options,
                                 void** values) {
  return guarded([&](machine& m) {
    require(out && image);
    const context_handle owner = current(m);
    jit_options jit(count, options, values);
    require_text(image);
    try {
      *out = m.modules.add(
          std::make_shared<module>(module{owner, program::load(static_cast<const char*>(image), m.memory)}));
      jit.finish("", "");
    } catch (const error& e) {
      jit.finish("", e.what());
      throw;
    }
  });
}

inline result cuModuleUnload(module_handle module) {
  return guarded([&](machine& m) {
    const auto gone = m.modules.take(module);
    m.functions.erase_if([&](const function& f) { return f.code == gone->code; });
  });
}

inline result cuModuleGetFunction(function_handle* out, module_handle module, const char* name) {
  return guarded([&](machine& m) {
    require(out && name);
    const auto& [owner, code] = *m.modules.at(module);
    const auto index = code->find_kernel(name);
    require(index.has_value(), result::not_found);
    const int room = limits::shared_bytes - static_cast<int>(code->kernels()[*index].static_shared_bytes);
    *out = m.functions.add(std::make_shared<function>(function{owner, code, *index, std::max(0, room)}));
  });
}

inline result cuModuleGetGlobal(device_address* address, std::size_t* bytes, module_handle module, const char* name) {
  return guarded([&](machine& m) {
    require(name);
    const auto found = m.modules.at(module)->code->find_symbol(name);
    require(found.has_value(), result::not_found);
    if (address) *address = found->address;
    if (bytes) *bytes = found->size_bytes;
  });
}

/// The largest block that the directives of the kernel allow.
inline int max_threads(const kernel_info& k) {
  const auto& bound = k.required_threads[0] ? k.required_threads : k.max_threads;
  if (bound[0] == 0) return limits::threads_per_block;
  return static_cast<int>(bound[0] * std::max(bound[1], 1u) * std::max(bound[2], 1u));
}

inline result cuFuncGetAttribute(int* value, function_attribute attribute, function_handle function) {
  return guarded([&](machine& m) {
    require(value);
    const entry::function& f = *m.functions.at(function);
    const kernel_info& k = f.info();
    switch (attribute) {
      case function_attribute::max_threads_per_block: *value = max_threads(k); return;
      case function_attribute::shared_size_bytes: *value = static_cast<int>(k.static_shared_bytes); return;
      case function_attribute::const_size_bytes: *value = 0; return;
      case function_attribute::local_size_bytes: *value = static_cast<int>(k.local_bytes); return;
      case function_attribute::num_regs: *value = static_cast<int>(k.register_count); return;
      case function_attribute::ptx_version: *value = f.code->source().sm; return;
      case function_attribute::binary_version: *value = 10 * limits::capability_major + limits::capability_minor; return;
      case function_attribute::max_dynamic_shared_size_bytes: *value = f.max_dynamic_shared_bytes; return;
      case function_attribute::preferred_shared_memory_carveout: *value = f.carveout; return;
    }
    throw refused{result::invalid_value};
  });
}

inline result cuFuncSetAttribute(function_handle function, function_attribute attribute, int value) {
  return guarded([&](machine& m) {
    entry::function& f = *m.functions.at(function);
    if (attribute == function_attribute::max_dynamic_shared_size_bytes) {
      require(value >= 0 && value + f.info().static_shared_bytes <= std::size_t{limits::shared_bytes_opt_in});
      f.max_dynamic_shared_bytes = value;
    } else {
      require(attribute == function_attribute::preferred_shared_memory_carveout && value >= -1 && value <= 100);
      f.carveout = value;
    }
  });
}

inline result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, function_handle function, int block_threads,
                                                          std::size_t dynamic_shared_bytes) {
  return guarded([&](machine& m) {
    require(blocks && block_threads > 0);
    const kernel_info& k = m.functions.at(function)->info();
    if (block_threads > max_threads(k)) {
      *blocks = 0;
      return;
    }
    const std::size_t threads = (static_cast<std::size_t>(block_threads) + 31) / 32 * 32;
    const std::size_t shared = k.static_shared_bytes + dynamic_shared_bytes + limits::shared_bytes_reserved;
    const std::size_t registers = (std::max(k.register_count, 1u) + 7) / 8 * 8 * threads;
    *blocks = static_cast<int>(std::min({std::size_t{limits::blocks_per_multiprocessor},
                                         limits::threads_per_multiprocessor / threads,
                                         limits::shared_bytes_per_multiprocessor / shared,
                                         limits::registers / registers}));
  });
}

inline result cuLinkCreate(unsigned, jit_option*, void**, link_handle* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.links.add(std::make_shared<link>(link{current(m), {}}));
  });
}

/// Takes one PTX text; several are not linked.
inline result cuLinkAddData(link_handle link, jit_input type, void* data, std::size_t bytes, const char*, unsigned,
                            jit_option*, void**) {
  return guarded([&](machine& m) {
    require(data && bytes > 0);
    entry::link& l = *m.links.at(link);
    require(type == jit_input::ptx, result::invalid_image);
    require(l.text.empty(), result::not_supported);
    l.text.assign(static_cast<const char*>(data), bytes);
    l.text.resize(std::strlen(l.text.c_str()));
    program::load(l.text, m.memory);
  });
}

inline result cuLinkComplete(link_handle link, void** cubin, std::size_t* bytes) {
  return guarded([&](machine& m) {
    require(cubin);
    entry::link& l = *m.links.at(link);
    require(!l.text.empty(), result::invalid_image);
    *cubin = l.text.data();
    if (bytes) *bytes = l.text.size() + 1;
  });
}

inline result cuLinkDestroy(link_handle link) {
  return guarded([&](machine& m) { m.links.take(link); });
}

}  // namespace tg::emulator::entry
