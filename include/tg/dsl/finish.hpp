// All passes over a recorded module, and its text.
#pragma once

#include <string>

#include <tg/ptx/canonical.hpp>
#include <tg/ptx/optimize.hpp>
#include <tg/ptx/print.hpp>
#include <tg/ptx/requirements.hpp>

namespace tg::detail {

/// Optimises `m` and gives it the smallest version and target that it can have. Returns: the PTX text.
inline std::string finish(ptx::module& m) {
  ptx::optimize(m);
  ptx::make_canonical(m);
  ptx::derive_requirements(m);
  return ptx::print(m);
}

}  // namespace tg::detail
