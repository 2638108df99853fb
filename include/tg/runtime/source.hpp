// What the runtime asks of a kernel beyond its name, block and parameters.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <tg/base/stopwatch.hpp>
#include <tg/dsl/kernel/ptx_text.hpp>
#include <tg/runtime/capture_numbers.hpp>
#include <tg/runtime/kernel_source.hpp>
#include <tg/runtime/module_cache.hpp>

namespace tg {

namespace runtime {

/// The C++ line on which a kernel is written.
template <class K> source_location line_of(const K& kernel) {
  if constexpr (requires { kernel.where.line; }) return kernel.where;
  else return {};
}

/// A kernel whose PTX depends on its type alone: nothing is captured.
template <class K>
inline constexpr bool is_constant_kernel = [] {
  if constexpr (requires(K k) { k.body; }) return std::is_empty_v<decltype(std::declval<K>().body)>;
  else return std::is_empty_v<K>;
}();

/// Whether a kernel keeps one number wherever it is used: its type's, its own in a member `number`, or that of the bytes
/// that it captures.
template <class K>
inline constexpr bool has_number = is_constant_kernel<K> || requires(const K k) { k.number; } || has_bytes<K>;

/// Where the device's module cache has the kernel; `no_number` where what it captures may hold an address.
template <class K> std::size_t number_of(const K& kernel) {
  if constexpr (requires { kernel.number; }) return kernel.number;
  else if constexpr (has_bytes<K>) return capture_numbers<K>::of(kernel.body);
  else return kernel_number<K>();
}

}  // namespace runtime

/// The text of a kernel written in C++. Kernels from elsewhere bring a function of this name in their namespace.
template <class K> requires is_kernel<K>
runtime::kernel_source source_of(const K& kernel) {
  ptx_text own = detail::write(detail::to_recordable(kernel));
  return {std::move(own.text), own.version, own.sm,          0,
          own.target_suffix,   {},          own.most_blocks, detail::more_threads_of<std::remove_cvref_t<decltype(K::block)>>};
}

namespace runtime {

/// `source_of(kernel)` with the time that it took.
template <class K> kernel_source timed_source(const K& kernel) {
  const stopwatch watch;
  kernel_source out = source_of(kernel);
  out.make_us = watch.us();
  return out;
}

}  // namespace runtime
}  // namespace tg
