// From a recorded kernel to the IR whose text is loaded.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tg/dsl/to_ptx.hpp>
#include <tg/dsl/trace.hpp>
#include <tg/ptx/block_reach.hpp>
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

namespace detail {

inline lowered_kernel lower(const recordable& kernel) {
  traced_kernel traced = record(kernel);
  std::string ptx = finish(traced.module);
  return {std::move(traced.module), std::move(traced.accesses), std::move(ptx)};
}

inline ptx_text write(const recordable& kernel) {
  lowered_kernel lowered = lower(kernel);
  const std::string& suffix = lowered.module.target_suffix;
  return {std::move(lowered.ptx), lowered.module.version, lowered.module.sm, suffix.empty() ? '\0' : suffix[0],
          ptx::block_reach(lowered.module.functions[0])};
}

}  // namespace detail

/// Records, optimises and prints a kernel.
/// Cost: microseconds; `./dev bench frontend` measures it.
template <class K> requires is_kernel<K>
lowered_kernel lower(const K& kernel) {
  return detail::lower(detail::to_recordable(kernel));
}

}  // namespace tg
