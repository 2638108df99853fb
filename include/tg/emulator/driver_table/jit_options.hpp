// The options of loading and linking PTX that the emulated driver heeds: the logs, the time, the limit of registers.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include <tg/base/stopwatch.hpp>
#include <tg/emulator/driver_table/machine.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::emulator::entry {

using driver::jit_option;

class jit_options {
 public:
  jit_options(unsigned count, const jit_option* options, void** values) {
    require(count == 0 || (options && values));
    for (unsigned i = 0; i < count; ++i) switch (options[i]) {
        case jit_option::info_log_buffer: info_.text = static_cast<char*>(values[i]); break;
        case jit_option::info_log_buffer_size_bytes: info_.size = &values[i]; break;
        case jit_option::error_log_buffer: error_.text = static_cast<char*>(values[i]); break;
        case jit_option::error_log_buffer_size_bytes: error_.size = &values[i]; break;
        case jit_option::wall_time: wall_time_ = &values[i]; break;
        case jit_option::max_registers:
          max_registers_ = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(values[i]));
          break;
        default: break;
      }
  }

  /// 0: no limit was given.
  std::uint32_t max_registers() const { return max_registers_; }

  /// Writes the limit as `.maxnreg` into the kernels that have no lower one.
  void limit_registers(ptx::module& m) const {
    if (max_registers_ == 0) return;
    for (ptx::function& f : m.functions) {
      std::uint32_t& own = f.bounds.max_registers;
      if (f.is_entry && !f.is_external && (own == 0 || own > max_registers_)) own = max_registers_;
    }
  }

  /// Does `load`, then writes the logs and the time it took, as the driver does: sizes and time replace the options'
  /// values.
  template <class F> void log(F load) {
    const stopwatch start;
    try {
      load();
    } catch (const error& e) {
      finish(start, e.what());
      throw;
    }
    finish(start, "");
  }

 private:
  struct text_log {
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

  void finish(const stopwatch& start, std::string_view error) {
    info_.write("");
    error_.write(error);
    if (wall_time_ == nullptr) return;
    const auto milliseconds = static_cast<float>(start.us() / 1e3);
    std::memcpy(wall_time_, &milliseconds, sizeof milliseconds);
  }

  text_log info_;
  text_log error_;
  void** wall_time_ = nullptr;
  std::uint32_t max_registers_ = 0;
};

}  // namespace tg::emulator::entry
