// What the emulated library does for a call that the emulator does not have.
#pragma once

#include <atomic>
#include <cstdio>

#include <tg/base/fixed_string.hpp>
#include <tg/emulator/driver_table/machine.hpp>

namespace tg::emulator::libcuda {

/// Stands for the function `Name`, whatever its parameters: says once on stderr that it is not there.
/// Returns: not_supported; not_initialized before cuInit.
template <fixed_string Name> driver::result refuse() {
  if (!entry::the_machine().is_initialized) return driver::result::not_initialized;
  static std::atomic_flag was_said;
  if (!was_said.test_and_set()) std::fprintf(stderr, "tg emulator: %s is not supported\n", Name.text);
  return driver::result::not_supported;
}

}  // namespace tg::emulator::libcuda
