// Records a kernel whose type is forgotten.
#pragma once

#include <tg/dsl/kernel/recordable.hpp>
#include <tg/dsl/recorder/traced_kernel.hpp>

namespace tg::detail {

class tape;

/// Calls `see(tape, what)` when all is recorded, before the tape is given up.
traced_kernel record(const recordable& kernel, void (*see)(tape&, void*), void* what);

/// Calls `see(tape)` when all is recorded.
template <class See> traced_kernel record(const recordable& kernel, See see) {
  return record(kernel, [](tape& t, void* own) { (*static_cast<See*>(own))(t); }, &see);
}

}  // namespace tg::detail
