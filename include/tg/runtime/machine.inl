// Reads the wish for a machine, and counts the devices of the driver and of the emulator.
#pragma once

#include <tg/runtime/machine.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/driver/call.hpp>
#include <tg/driver/codes.hpp>
#include <tg/driver/emulated.hpp>
#include <tg/driver/libcuda.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::runtime {

/// How many devices the emulator shows; 0 where there is none.
inline int emulated_devices(const driver::table* emulator) {
  int out = 0;
  if (emulator == nullptr) return out;
  driver::call(*emulator, emulator->cuInit, 0u);
  driver::call(*emulator, emulator->cuDeviceGetCount, &out);
  return out;
}

TG_LIBRARY_FUNCTION machine choose_machine(std::string_view wish, const driver::library& gpus, const driver::table* emulator) {
  if (wish.empty() && gpus.is_available()) return {&gpus.api, 0, true};
  const std::string_view kind = wish.substr(0, wish.find(':'));
  int ordinal = 0;
  if (kind != wish) {
    const char* const end = wish.data() + wish.size();
    const auto number = std::from_chars(wish.data() + kind.size() + 1, end, ordinal);
    if (number.ec != std::errc{} || number.ptr != end) ordinal = -1;
  }
  const bool is_gpu = kind == "gpu";
  if ((!is_gpu && kind != "emulator" && !wish.empty()) || ordinal < 0)
    throw error(device_wish, "the device '" + std::string(wish) + "' is not understood",
                "write emulator, gpu or gpu:1; TG_DEVICE or the constructor of tg::device says which");
  if (!gpus.is_available() && (is_gpu || (wish.empty() && gpus.is_broken)))
    throw error(driver::no_library, "no GPU can be used: " + gpus.reason, driver::fix_of(driver::no_library));
  if (!is_gpu && emulator == nullptr)
    throw error(no_emulator,
                (wish.empty() ? "no GPU can be used (" + gpus.reason + "), and this program has no emulator"
                              : std::string("this program has no emulator")),
                "add #include <tg/library.hpp> to one source file, or link tg::tg with CMake");
  const int devices = is_gpu ? gpus.devices : emulated_devices(emulator);
  if (ordinal >= devices)
    throw error(driver::no_such_device,
                "there is no " + std::string(is_gpu ? "GPU " : "emulator ") + std::to_string(ordinal) + "; " +
                    (is_gpu ? "the driver sees " : "there are ") + std::to_string(devices),
                is_gpu ? driver::fix_of(driver::no_such_device) : "set TG_EMULATOR_DEVICES");
  return {is_gpu ? &gpus.api : emulator, ordinal, is_gpu};
}

TG_LIBRARY_FUNCTION machine choose_machine(std::string_view wish) {
  if (const char* variable = std::getenv("TG_DEVICE"); wish.empty() && variable) wish = variable;
  const driver::table* const emulator = driver::emulated();
  if (wish.starts_with("emulator")) return choose_machine(wish, {}, emulator);
  const machine out = choose_machine(wish, driver::libcuda(), emulator);
  if (!out.is_kept) {
    // One line for a process, whatever its threads do.
    [[maybe_unused]] static const int said =
        std::fprintf(stderr, "tg: no GPU can be used (%s): kernels run on the emulator; TG_DEVICE=emulator asks for it\n",
                     driver::libcuda().reason.c_str());
  }
  return out;
}

TG_LIBRARY_FUNCTION std::vector<std::string> available_machines() {
  std::vector<std::string> out;
  for (int i = 0; i < driver::libcuda().devices; ++i) out.push_back("gpu:" + std::to_string(i));
  for (int i = 0; i < emulated_devices(driver::emulated()); ++i) out.push_back("emulator:" + std::to_string(i));
  return out;
}

}  // namespace tg::runtime
