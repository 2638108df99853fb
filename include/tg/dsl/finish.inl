// The passes over a recorded module, in their order.
#pragma once

#include <tg/base/config.hpp>
#include <tg/ptx/canonical.hpp>
#include <tg/ptx/optimize.hpp>
#include <tg/ptx/print.hpp>
#include <tg/ptx/requirements.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::string finish(ptx::module& m) {
  ptx::optimize(m);
  ptx::make_canonical(m);
  ptx::derive_requirements(m);
  return ptx::print(m);
}

}  // namespace tg::detail
