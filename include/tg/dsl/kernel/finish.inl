// The passes over a recorded module, in their order.
#pragma once

#include <tg/dsl/kernel/finish.hpp>

#include <tg/base/config.hpp>
#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/parse/canonical.hpp>
#include <tg/ptx/passes/optimize.hpp>
#include <tg/ptx/print/print.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::string finish(ptx::module& m) {
  ptx::optimize(m);
  ptx::make_canonical(m);
  ptx::derive_requirements(m);
  return ptx::print(m);
}

}  // namespace tg::detail
