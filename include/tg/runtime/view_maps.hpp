// Tensor maps of views, made at launch: what tiles of a kernel for sm_90 are copied by (dsl/bulk/view_map.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/runtime/argument.hpp>
#include <tg/runtime/module_cache.hpp>
#include <tg/runtime/view_map_plan.hpp>

namespace tg::ptx {
struct function;
struct module;
}  // namespace tg::ptx

namespace tg::runtime {

/// What `text`, the parsed text of a kernel, says of its maps.
view_map_plan plan_view_maps(const ptx::module& text, const ptx::function& kernel);

/// The parameters of a launch, of which the first `bytes` are `packed`, and behind them the maps that it makes of its views.
/// `own`: the extents of the matrices among them. Errors: TG575 to TG577, and those of the driver.
dynamic_array<std::byte> make_view_maps(const launch_site& site, const view_map_plan& plan, const std::byte* packed,
                                        std::size_t bytes, const matrix_extents* own, std::size_t own_count);

/// Calls `f(parameters, bytes)` with all that a kernel takes: what was packed, and the maps behind it.
template <class Packed, class F>
void with_maps(const launch_site& site, const compiled_kernel& kernel, const Packed& packed, F f) {
  if (kernel.maps.is_empty()) [[likely]]
    return f(packed.buffer.data(), Packed::bytes);
  const dynamic_array<std::byte> all =
      make_view_maps(site, kernel.maps, packed.buffer.data(), Packed::bytes, packed.extents.data(), packed.extents.size());
  f(all.data(), all.size());
}

}  // namespace tg::runtime
