// What the runtime asks of a kernel beyond its name, block and parameters.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <tg/base/stopwatch.hpp>
#include <tg/dsl/lower.hpp>

namespace tg {

namespace runtime {

/// PTX text, what it asks of driver and device, and what making it cost.
struct kernel_source {
  std::string ptx;
  ptx::isa_version version;
  int sm = 0;
  double make_us = 0;  // tracing, lowering and printing
};

/// The C++ line on which a kernel is written.
template <class K>
source_location line_of(const K& kernel) {
  if constexpr (requires { kernel.where.line; }) return kernel.where;
  else return {};
}

/// A kernel whose PTX depends on its type alone: nothing is captured.
template <class K>
inline constexpr bool is_constant_kernel = [] {
  if constexpr (requires(K k) { k.body; }) return std::is_empty_v<decltype(std::declval<K>().body)>;
  else return std::is_empty_v<K>;
}();

}  // namespace runtime

/// The text of a kernel written in C++. Kernels from elsewhere bring a function of this name in their namespace.
template <class K>
  requires is_kernel<K>
runtime::kernel_source source_of(const K& kernel) {
  lowered_kernel lowered = lower(kernel);
  return {std::move(lowered.ptx), lowered.module.version, lowered.module.sm};
}

namespace runtime {

/// `source_of(kernel)` with the time that it took.
template <class K>
kernel_source timed_source(const K& kernel) {
  const stopwatch watch;
  kernel_source out = source_of(kernel);
  out.make_us = watch.us();
  return out;
}

}  // namespace runtime
}  // namespace tg
