// Runs PTX where the tests are told to: on the emulator, or on a GPU through its driver.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tg/driver/call.hpp>
#include <tg/driver/libcuda.hpp>

#include "../runner.hpp"

namespace conformance {

/// A module on a driver's first device, with buffers as parameters.
class driver_bench {
 public:
  driver_bench(const tg::driver::table& api, const std::string& text) : api_(api) {
    tg::driver::context_handle context{};
    call(api_.cuInit, 0u);
    call(api_.cuDeviceGet, &device_, 0);
    call(api_.cuDevicePrimaryCtxRetain, &context, device_);
    try {
      call(api_.cuCtxSetCurrent, context);
      call(api_.cuModuleLoadDataEx, &module_, static_cast<const void*>(text.c_str()), 0u,
           static_cast<tg::driver::jit_option*>(nullptr), static_cast<void**>(nullptr));
    } catch (...) {
      api_.cuDevicePrimaryCtxRelease(device_);
      throw;
    }
  }
  ~driver_bench() {
    for (const std::uint64_t at : buffers_) api_.cuMemFree(at);
    api_.cuModuleUnload(module_);
    api_.cuDevicePrimaryCtxRelease(device_);
  }
  driver_bench(const driver_bench&) = delete;
  driver_bench& operator=(const driver_bench&) = delete;

  template <class T> std::uint64_t upload(const std::vector<T>& values) {
    const std::size_t bytes = values.size() * sizeof(T);
    tg::driver::device_address at = 0;
    call(api_.cuMemAlloc, &at, bytes);
    buffers_.push_back(at);
    call(api_.cuMemcpyHtoD, at, static_cast<const void*>(values.data()), bytes);
    return at;
  }
  template <class T> std::vector<T> download(std::uint64_t at, std::size_t count) {
    std::vector<T> out(count);
    call(api_.cuMemcpyDtoH, static_cast<void*>(out.data()), tg::driver::device_address{at}, count * sizeof(T));
    return out;
  }

  /// Runs kernel `k` and waits for its end.
  void run(const runner::launch_shape& shape, const runner::words& params) {
    tg::driver::function_handle kernel{};
    call(api_.cuModuleGetFunction, &kernel, module_, "k");
    runner::words all = params;
    all.resize(16);
    std::vector<void*> by_address;
    for (std::uint64_t& p : all) by_address.push_back(&p);
    if (shape.dynamic_shared_bytes > most_unasked_bytes)
      call(api_.cuFuncSetAttribute, kernel, tg::driver::function_attribute::max_dynamic_shared_size_bytes,
           static_cast<int>(shape.dynamic_shared_bytes));
    const auto& grid = shape.grid;
    const auto& block = shape.block;
    call(api_.cuLaunchKernel, kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
         static_cast<unsigned>(shape.dynamic_shared_bytes), tg::driver::stream_handle{}, by_address.data(),
         static_cast<void**>(nullptr));
    call(api_.cuCtxSynchronize);
  }

 private:
  /// Dynamic shared memory that a kernel has without asking. Source: CUDA C++ Programming Guide 13.0, "Shared Memory".
  static constexpr std::size_t most_unasked_bytes = 48 << 10;

  template <class... P, class... A> void call(tg::driver::result (*const& function)(P...), A... values) {
    tg::driver::call(api_, function, values...);
  }

  const tg::driver::table& api_;
  tg::driver::module_handle module_{};
  tg::driver::device_id device_{};
  std::vector<std::uint64_t> buffers_;
};

/// The GPU's driver where TG_DEVICE=gpu asks for it; else null, and the emulator is meant.
inline const tg::driver::table* asked_driver() {
  const char* device = std::getenv("TG_DEVICE");
  if (device == nullptr || std::string_view(device) != "gpu") return nullptr;
  const tg::driver::table& api = tg::driver::libcuda().api;
  // The context lives as long as the process: making one takes a GPU a tenth of a second.
  static const bool is_kept = [&] {
    tg::driver::device_id first{};
    tg::driver::context_handle context{};
    tg::driver::call(api, api.cuInit, 0u);
    tg::driver::call(api, api.cuDeviceGet, &first, 0);
    tg::driver::call(api, api.cuDevicePrimaryCtxRetain, &context, first);
    return true;
  }();
  (void)is_kept;
  return &api;
}

/// Whether results of the machine are exact to the bit where the instruction set leaves the order of a sum open.
inline bool sums_exactly() { return asked_driver() == nullptr; }

/// A module where the tests are told to run it, with buffers as parameters.
class machine {
 public:
  explicit machine(const std::string& text) {
    if (const tg::driver::table* api = asked_driver()) driver_.emplace(*api, text);
    else emulator_.emplace(text);
  }

  template <class T> std::uint64_t upload(const std::vector<T>& values) {
    return driver_ ? driver_->upload(values) : emulator_->upload(values);
  }
  template <class T> std::vector<T> download(std::uint64_t at, std::size_t count) {
    return driver_ ? driver_->download<T>(at, count) : emulator_->download<T>(at, count);
  }
  /// Runs kernel `k` without checkers.
  void run(const runner::launch_shape& shape, const runner::words& params) {
    if (driver_) return driver_->run(shape, params);
    runner::options how;
    how.check = tg::emulator::check::checkers::none();
    emulator_->run(shape, params, how);
  }

 private:
  std::optional<driver_bench> driver_;
  std::optional<runner::bench> emulator_;
};

}  // namespace conformance
