// A kernel as it was recorded.
#pragma once

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/access.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg {

/// A recorded kernel: the IR as written, before any pass, and its memory accesses in program order;
/// `ptx::instruction::access` is an index into them.
struct traced_kernel {
  ptx::module module;
  dynamic_array<access> accesses;
};

}  // namespace tg
