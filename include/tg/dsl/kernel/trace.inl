// Records a kernel and judges its accesses.
#pragma once

#include <tg/dsl/kernel/trace.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/kernel/record.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION traced_kernel record(const recordable& kernel) {
  return record(kernel, [](tape&) {});
}

}  // namespace tg::detail
