// Runs a kernel's lambda once and records what it does.
#pragma once

#include <vector>

#include <tg/dsl/access.hpp>
#include <tg/dsl/recordable.hpp>
#include <tg/ptx/module.hpp>

namespace tg {

/// A recorded kernel: the IR as written, before any pass, and its memory accesses in program order;
/// `ptx::instruction::access` is an index into them.
struct traced_kernel {
  ptx::module module;
  std::vector<access> accesses;
};

namespace detail {
traced_kernel record(const recordable& kernel);  // with TG_COMPILED defined, from a library
}

/// The IR of a kernel as its statements say it. Errors: TG119, TG121, TG122, TG128, TG135, TG315, TG201 to TG204 where C++
/// integers decide.
template <class K> requires is_kernel<K>
traced_kernel trace(const K& kernel) {
  return detail::record(detail::to_recordable(kernel));
}

}  // namespace tg

#ifndef TG_COMPILED
#include <tg/dsl/record.hpp>
#endif
