// An explanation as one self-contained HTML file: nothing is fetched, and it reads without its script.
#pragma once

#include <string>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/explain/explanation.hpp>

namespace tg {

/// The page: summary, source beside PTX, a picture of every access, registers, roofline, occupancy, and what was
/// proved. Cost: milliseconds; a few hundred KB for the largest kernels.
std::string to_html(const explanation& e);

}  // namespace tg
