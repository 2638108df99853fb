// Findings as JSON: an array of objects, one per finding, whose keys are the members' names.
#pragma once

#include <span>
#include <string>

#include <tg/emulator/launch/finding.hpp>

namespace tg::emulator::check {

/// One finding as an object on one line.
std::string to_json(const finding& f);

/// Findings as an array, one line each.
std::string to_json(std::span<const finding> all);

}  // namespace tg::emulator::check
