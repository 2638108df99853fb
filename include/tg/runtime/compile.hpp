// Makes a loaded kernel from a C++ kernel: tracing, lowering, printing, the driver's compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tg/base/fixed_array.hpp>
#include <tg/runtime/context.hpp>
#include <tg/runtime/source.hpp>

namespace tg::runtime {

/// Loads a kernel on a device and reads back what the driver made of it.
/// Errors: TG505 with the log of the driver's compiler, TG506, TG507, TG550, TG551.
compiled_kernel load(context& device, std::string_view name, const kernel_source& source, source_location where,
                     const load_options& options = {});

/// A kernel to be compiled, without its type.
struct kernel_request {
  std::string_view name;
  fixed_array<std::uint32_t, 3> block;
  source_location where;
  const void* kernel;
  kernel_source (*make)(const void* kernel);
  std::optional<std::size_t> number;  // none: it is found by its PTX, because that depends on more than its type
  bool has_captures = false;          // others may have the same PTX
};

/// What the cache of modules is asked for: the name, the block, the line and the source of a kernel.
template <class K> kernel_request request_of(const K& kernel) {
  kernel_request out{K::name,
                     {K::block.x, K::block.y, K::block.z},
                     line_of(kernel),
                     &kernel,
                     [](const void* k) { return timed_source(*static_cast<const K*>(k)); },
                     std::nullopt};
  if constexpr (has_number<K>)
    if (const std::size_t number = number_of(kernel); number != no_number) out.number = number;
  out.has_captures = has_bytes<K>;
  return out;
}

/// The kernel as the device runs it, made on first use: as its load options say, or with options of its own, which hold
/// for the kernel from now on.
const compiled_kernel& compile(context& device, const kernel_request& kernel, const load_options* options = nullptr);

}  // namespace tg::runtime
