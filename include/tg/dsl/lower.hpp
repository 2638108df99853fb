// From a recorded kernel to the PTX text that is loaded.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tg/dsl/trace.hpp>
#ifndef TG_COMPILED
#include <tg/dsl/finish.hpp>
#endif

namespace tg {

namespace detail {
std::string finish(ptx::module& m);  // with TG_COMPILED defined, from a library
}

/// A kernel after all passes. `ptx` is `print(module)`; instruction `i` of the function touches
/// `accesses[body[i].access]`. Accesses that the passes removed, such as a read whose value is not used, stay in the list
/// without an instruction.
struct lowered_kernel {
  ptx::module module;
  std::vector<access> accesses;
  std::string ptx;
};

/// Records, optimises and prints a kernel.
/// Cost: microseconds; `./dev bench frontend` measures it.
template <class K> requires is_kernel<K>
lowered_kernel lower(const K& kernel) {
  traced_kernel traced = trace(kernel);
  std::string ptx = detail::finish(traced.module);
  return {std::move(traced.module), std::move(traced.accesses), std::move(ptx)};
}

/// The PTX text of a kernel.
template <class K> requires is_kernel<K>
std::string to_ptx(const K& kernel) {
  return lower(kernel).ptx;
}

}  // namespace tg
