// The options and logs that go with PTX to the driver's compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <tg/driver/types.hpp>
#include <tg/runtime/load_options.hpp>

namespace tg::runtime {

/// The driver's number of a target: 90, with the suffix of sm_90a above it. Source: cuda.h 13.0, CUjit_target.
constexpr unsigned jit_target(int sm, char suffix) {
  return static_cast<unsigned>(sm) + (suffix == 'a' ? 0x10000u : suffix == 'f' ? 0x20000u : 0u);
}

/// One use of the compiler or linker; it reads and writes here until it is done.
class jit_request {
 public:
  /// A target of 0 is the device's.
  explicit jit_request(const load_options& o, unsigned target = 0) {
    using driver::jit_option;
    add(jit_option::info_log_buffer, info_.data());
    add(jit_option::info_log_buffer_size_bytes, number(info_.size()));
    add(jit_option::error_log_buffer, errors_.data());
    add(jit_option::error_log_buffer_size_bytes, number(errors_.size()));
    add(jit_option::optimization_level, number(o.optimization_level));
    add(jit_option::generate_line_info, number(o.line_info));
    if (o.max_registers > 0) add(jit_option::max_registers, number(o.max_registers));
    if (target != 0) add(jit_option::target, number(target));
  }
  jit_request(const jit_request&) = delete;
  jit_request& operator=(const jit_request&) = delete;

  unsigned count() const { return count_; }
  driver::jit_option* keys() { return keys_.data(); }
  void** values() { return values_.data(); }
  const char* info() const { return info_.c_str(); }
  const char* errors() const { return errors_.c_str(); }

 private:
  template <class T> static void* number(T value) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(value)); }
  void add(driver::jit_option key, void* value) {
    keys_[count_] = key;
    values_[count_++] = value;
  }

  std::string info_ = std::string(8192, '\0');
  std::string errors_ = std::string(8192, '\0');
  std::array<driver::jit_option, 8> keys_{};
  std::array<void*, 8> values_{};
  unsigned count_ = 0;
};

}  // namespace tg::runtime
