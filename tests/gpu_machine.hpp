// Runs PTX text on the first GPU through its driver, where TG_DEVICE=gpu asks for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <tg/driver/call.hpp>
#include <tg/driver/libcuda.hpp>

namespace gpu_machine {

inline bool is_asked() {
  const char* device = std::getenv("TG_DEVICE");
  return device != nullptr && std::string_view(device) == "gpu";
}

struct extent { unsigned x = 1, y = 1, z = 1; };

/// A loaded text and memory that its kernels work on. Errors: those of the driver.
class loaded {
 public:
  explicit loaded(const std::string& ptx) {
    // The context lives as long as the process: making one takes a tenth of a second.
    static const bool is_ready = [this] {
      tg::driver::device_id device{};
      tg::driver::context_handle context{};
      call(api_.cuInit, 0u);
      call(api_.cuDeviceGet, &device, 0);
      call(api_.cuDevicePrimaryCtxRetain, &context, device);
      call(api_.cuCtxSetCurrent, context);
      return true;
    }();
    (void)is_ready;
    call(api_.cuModuleLoadDataEx, &module_, static_cast<const void*>(ptx.c_str()), 0u,
         static_cast<tg::driver::jit_option*>(nullptr), static_cast<void**>(nullptr));
    const std::size_t at = ptx.find(".entry ") + 7;
    name_ = ptx.substr(at, ptx.find('(', at) - at);
  }
  ~loaded() {
    for (const auto place : places_) api_.cuMemFree(place);
    api_.cuModuleUnload(module_);
  }
  loaded(const loaded&) = delete;
  loaded& operator=(const loaded&) = delete;

  /// Adds a copy of the host's bytes as the next parameter.
  std::uint64_t add_memory(const void* from, std::size_t bytes) {
    tg::driver::device_address place = 0;
    call(api_.cuMemAlloc, &place, bytes);
    places_.push_back(place);
    call(api_.cuMemcpyHtoD, place, from, bytes);
    add_number(&place, sizeof place);
    return place;
  }
  void add_number(const void* from, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    numbers_.emplace_back(first, first + bytes);
  }
  void read(std::uint64_t place, void* to, std::size_t bytes) {
    call(api_.cuMemcpyDtoH, to, tg::driver::device_address{place}, bytes);
  }

  /// Runs the first kernel of the text and waits for its end.
  void run(extent grid, extent block) {
    tg::driver::function_handle function{};
    call(api_.cuModuleGetFunction, &function, module_, name_.c_str());
    std::vector<void*> parameters;
    for (auto& number : numbers_) parameters.push_back(number.data());
    call(api_.cuLaunchKernel, function, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0u, tg::driver::stream_handle{},
         parameters.data(), static_cast<void**>(nullptr));
    call(api_.cuCtxSynchronize);
  }

 private:
  template <class... P, class... A> void call(tg::driver::result (*const& function)(P...), A... values) {
    tg::driver::call(api_, function, values...);
  }

  const tg::driver::table& api_ = tg::driver::libcuda().api;
  tg::driver::module_handle module_{};
  std::string name_;
  std::vector<tg::driver::device_address> places_;
  std::vector<std::vector<std::byte>> numbers_;
};

}  // namespace gpu_machine
