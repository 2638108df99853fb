// An explanation for a terminal.
#pragma once

#include <string>

#include <tg/explain/explanation.hpp>

namespace tg {

/// Summary, dearest lines, accesses, registers, occupancy, roofline, and what is not proved; lines of 100 columns or
/// so.
std::string to_text(const explanation& e);

}  // namespace tg
