// Counters as JSON: totals, memory spaces, source lines, instructions.
#pragma once

#include <span>
#include <string>

#include <tg/emulator/counters/counters.hpp>

namespace tg::emulator {

/// Instructions that did not run are left out.
std::string to_json(const counters& all);

/// An array of objects: kernel, launches, counters.
std::string to_json(std::span<const kernel_counters> kernels);

}  // namespace tg::emulator
