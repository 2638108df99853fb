// How a wish becomes a machine.
#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <vector>

#include <tg/base/error.hpp>
#include <tg/driver/call.hpp>
#include <tg/driver/codes.hpp>
#include <tg/driver/libcuda.hpp>
#include <tg/emulator/driver_table.hpp>
#include <tg/runtime/codes.hpp>
#include <tg/runtime/machine.hpp>

namespace tg::runtime {

/// How many devices the emulator shows.
inline int emulated_devices() {
  const driver::table& api = emulator::driver_table();
  int out = 0;
  driver::call(api, api.cuInit, 0u);
  driver::call(api, api.cuDeviceGetCount, &out);
  return out;
}

inline machine choose_machine(std::string_view wish, const driver::library& gpus) {
  if (wish.empty()) return gpus.is_available() ? machine{&gpus.api} : machine{&emulator::driver_table()};
  const std::string_view kind = wish.substr(0, wish.find(':'));
  int ordinal = 0;
  if (kind != wish) {
    const char* const end = wish.data() + wish.size();
    const auto number = std::from_chars(wish.data() + kind.size() + 1, end, ordinal);
    if (number.ec != std::errc{} || number.ptr != end) ordinal = -1;
  }
  if ((kind != "gpu" && kind != "emulator") || ordinal < 0)
    throw error(device_wish, "the device '" + std::string(wish) + "' is not understood",
                "write emulator, gpu or gpu:1; TG_DEVICE or the constructor of tg::device says which");
  const bool is_gpu = kind == "gpu";
  if (is_gpu && !gpus.is_available())
    throw error(driver::no_library, "no GPU can be used: " + gpus.reason, driver::fix_of(driver::no_library));
  const int devices = is_gpu ? gpus.devices : emulated_devices();
  if (ordinal >= devices)
    throw error(driver::no_such_device,
                "there is no " + std::string(is_gpu ? "GPU " : "emulator ") + std::to_string(ordinal) + "; " +
                    (is_gpu ? "the driver sees " : "there are ") + std::to_string(devices),
                is_gpu ? driver::fix_of(driver::no_such_device) : "set TG_EMULATOR_DEVICES");
  return {is_gpu ? &gpus.api : &emulator::driver_table(), ordinal};
}

inline machine choose_machine(std::string_view wish) {
  if (const char* variable = std::getenv("TG_DEVICE"); wish.empty() && variable) wish = variable;
  return wish.starts_with("emulator") ? choose_machine(wish, {}) : choose_machine(wish, driver::libcuda());
}

inline std::vector<std::string> available_machines() {
  std::vector<std::string> out;
  for (int i = 0; i < driver::libcuda().devices; ++i) out.push_back("gpu:" + std::to_string(i));
  for (int i = 0; i < emulated_devices(); ++i) out.push_back("emulator:" + std::to_string(i));
  return out;
}

}  // namespace tg::runtime
