// Which machine runs the kernels: an NVIDIA GPU or the emulator.
#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include <tg/base/error.hpp>
#include <tg/driver/codes.hpp>
#include <tg/driver/libcuda.hpp>
#include <tg/emulator/driver_table.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::runtime {

/// A function table and the number of a device behind it.
struct machine {
  const driver::table* api;
  int ordinal = 0;
};

/// Chooses by a wish: `emulator`, `gpu`, `gpu:1`, or nothing for the first GPU where there is one, else the emulator.
/// Errors: TG501 when a GPU is wished for and the driver is not available, TG503 when there is no such GPU, TG520.
inline machine choose_machine(std::string_view wish, const driver::library& gpus) {
  if (wish.empty()) return gpus.is_available() ? machine{&gpus.api} : machine{&emulator::driver_table()};
  if (wish == "emulator") return {&emulator::driver_table()};
  int ordinal = 0;
  const bool is_numbered = wish.starts_with("gpu:");
  const char* const end = wish.data() + wish.size();
  const auto number = std::from_chars(wish.data() + (is_numbered ? 4 : 0), end, ordinal);
  if (wish != "gpu" && !(is_numbered && number.ec == std::errc{} && number.ptr == end && ordinal >= 0))
    throw error(device_wish, "the device '" + std::string(wish) + "' is not understood",
                "write emulator, gpu or gpu:1; TG_DEVICE or the constructor of tg::device says which");
  if (!gpus.is_available())
    throw error(driver::no_library, "no GPU can be used: " + gpus.reason, driver::fix_of(driver::no_library));
  if (ordinal >= gpus.devices)
    throw error(driver::no_such_device,
                "there is no GPU " + std::to_string(ordinal) + "; the driver sees " + std::to_string(gpus.devices),
                driver::fix_of(driver::no_such_device));
  return {&gpus.api, ordinal};
}

/// The same with what TG_DEVICE says when nothing is wished for. The driver is opened only if it could be used.
inline machine choose_machine(std::string_view wish = {}) {
  if (const char* variable = std::getenv("TG_DEVICE"); wish.empty() && variable) wish = variable;
  return wish == "emulator" ? machine{&emulator::driver_table()} : choose_machine(wish, driver::libcuda());
}

}  // namespace tg::runtime
