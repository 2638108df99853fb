// The emulator that a program holds, behind the same table as the driver.
#pragma once

#include <tg/driver/api.hpp>

/// The emulator's table. A program has this function when one of its source files includes <tg/library.hpp> or when it is
/// linked with tg::tg; in every other program its address is null.
extern "C" [[gnu::weak]] const tg::driver::table* tg_emulator_table();

namespace tg::driver {

/// Returns: the emulator's table, or null where the program has no emulator.
inline const table* emulated() { return tg_emulator_table != nullptr ? tg_emulator_table() : nullptr; }

}  // namespace tg::driver
