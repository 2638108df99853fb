// Which machine runs the kernels: an NVIDIA GPU or the emulator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tg/driver/api.hpp>

namespace tg::driver { struct library; }

namespace tg::runtime {

/// A function table and the number of a device behind it.
struct machine {
  const driver::table* api;
  int ordinal = 0;
  bool is_kept = false;  // the context and its kernels stay from the first use to the end of the process
};

/// Chooses by a wish: `emulator`, `emulator:1`, `gpu`, `gpu:1`, or nothing for the first GPU where there is one, else the
/// emulator. `emulator` is its table, null in a program that has none. Errors: TG501 when a GPU is wished for and the driver is
/// not available, or when nothing is wished for and there is a driver that fails; TG503 when there is no such GPU, TG520,
/// TG574.
machine choose_machine(std::string_view wish, const driver::library& gpus, const driver::table* emulator);

/// The machine that is wished for, or that TG_DEVICE names where nothing is wished for. The driver is opened only if it could
/// be used. Where it turns out to be the emulator that nobody asked for, a line on stderr says so, once for a process.
machine choose_machine(std::string_view wish = {});

/// Every wish that can be granted: `gpu:0`, `gpu:1`, `emulator:0`.
std::vector<std::string> available_machines();

}  // namespace tg::runtime
