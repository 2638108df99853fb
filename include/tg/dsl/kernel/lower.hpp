// From a recorded kernel to the IR whose text is loaded.
#pragma once

#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/kernel/finish.hpp>
#include <tg/dsl/kernel/trace.hpp>

namespace tg {

/// A kernel after all passes. `ptx` is `print(module)`; instruction `i` of the function touches
/// `accesses[body[i].access]`. Accesses that the passes removed, such as a read whose value is not used, stay in the list
/// without an instruction.
struct lowered_kernel {
  ptx::module module;
  dynamic_array<access> accesses;
  std::string ptx;
};

namespace detail {

inline lowered_kernel lower(const recordable& kernel) {
  traced_kernel traced = record(kernel);
  std::string ptx = finish(traced.module);
  return {std::move(traced.module), std::move(traced.accesses), std::move(ptx)};
}

}  // namespace detail

/// Records, optimises and prints a kernel.
/// Cost: microseconds; `./dev bench frontend` measures it.
template <recordable_kernel K> lowered_kernel lower(const K& kernel) { return detail::lower(detail::to_recordable(kernel)); }

}  // namespace tg
