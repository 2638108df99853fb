// All passes over a recorded module, and its text.
#pragma once

#include <string>

namespace tg::ptx { struct module; }

namespace tg::detail {

/// Optimises `m` and gives it the smallest version and target that it can have. Returns: the PTX text.
std::string finish(ptx::module& m);

}  // namespace tg::detail
