// The sizes of tiles in dynamic shared memory, and what is said where they do not fit.
#pragma once

#include <tg/runtime/shared_sizes.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/runtime/codes.hpp>
#include <tg/runtime/context.hpp>
#include <tg/runtime/view_maps.hpp>

namespace tg::runtime {

namespace detail {

/// A tile and how many bytes it has in this launch.
struct tile_bytes {
  const ptx::shared_tile& tile;
  std::int64_t bytes;
};

[[noreturn]] inline void refuse_shared(std::string_view kernel, const dynamic_array<tile_bytes>& tiles, std::int64_t most,
                                       source_location where) {
  std::string list;
  std::int64_t sum = 0;
  for (const tile_bytes& t : tiles) {
    list +=
        (list.empty() ? "" : ", ") + std::to_string(t.bytes) + " bytes of " + t.tile.file + ":" + std::to_string(t.tile.line);
    sum += ptx::aligned_tile_bytes(t.bytes);
  }
  throw error(shared_size,
              "kernel '" + std::string(kernel) + "' has tiles of " + std::to_string(sum) + " bytes in shared memory: " + list +
                  "; a block has at most " + std::to_string(most) + " here",
              "use smaller tiles, or fewer of them", where);
}

}  // namespace detail

TG_LIBRARY_FUNCTION void plan_launches(context& device, compiled_kernel& kernel, source_location where) {
  const auto says = [&](const char* directive) { return kernel.ptx.find(directive) != std::string::npos; };
  kernel.waits_for_prior_grids = kernel.ptx.empty() || says("griddepcontrol.wait");
  const auto aligns = [&](const char* bytes) { return says((std::string(".param .align ") + bytes).c_str()); };
  const bool is_aligned_far = aligns("32 ") || aligns("64 ") || aligns("128 ");
  if (!says(".shared_tile ") && !says(".view_map ") && !is_aligned_far) return;
  const ptx::module parsed = ptx::parse(kernel.ptx);
  const ptx::function* const f = parsed.find(kernel.name);
  if (f == nullptr) return;
  if (is_aligned_far)
    for (const ptx::launch_argument& place : ptx::places_of_arguments(f->params)) kernel.offsets.push_back(place.offset);
  if (!parsed.maps.empty()) kernel.maps = plan_view_maps(parsed, *f);
  if (parsed.tiles.empty()) return;
  shared_plan& out = kernel.shared;
  out.tiles = parsed.tiles;
  out.arguments = ptx::places_of_arguments(f->params);
  const device_limits& limits = device.limits();
  const auto own = static_cast<std::uint32_t>(kernel.static_shared_bytes);
  out.most_bytes = static_cast<std::uint32_t>(std::max(limits.shared_bytes, limits.shared_bytes_opt_in)) - own;
  dynamic_array<detail::tile_bytes> fixed;
  for (const ptx::shared_tile& t : out.tiles) {
    if (ptx::is_fixed(t)) fixed.push_back({t, t.element_bytes});
    else out.depends_on_arguments = true;
  }
  const std::int64_t bytes = ptx::fixed_tile_bytes(out.tiles);
  if (bytes > std::int64_t{out.most_bytes}) detail::refuse_shared(kernel.name, fixed, out.most_bytes, where);
  out.fixed_bytes = static_cast<std::uint32_t>(bytes);
  const std::uint32_t asked = out.depends_on_arguments ? out.most_bytes : out.fixed_bytes;
  if (own + asked > limits.shared_bytes)
    device.call(device.api().cuFuncSetAttribute, kernel.function, driver::function_attribute::max_dynamic_shared_size_bytes,
                static_cast<int>(asked));
}

TG_LIBRARY_FUNCTION std::uint32_t shared_bytes_for(std::string_view kernel, const shared_plan& plan, const void* parameters,
                                                   source_location where) {
  if (!plan.depends_on_arguments) return plan.fixed_bytes;
  constexpr std::int64_t most_shown = std::int64_t{1} << 56;  // of one tile: what is larger is as wrong, and sums stay in range
  dynamic_array<detail::tile_bytes> sizes;
  std::int64_t sum = 0;
  for (const ptx::shared_tile& t : plan.tiles) {
    std::int64_t bytes = t.element_bytes;
    for (const ptx::shared_tile::extent& e : t.extents) {
      const std::optional<std::int64_t> size = ptx::evaluate(e.size, plan.arguments, parameters);
      const auto refuse = [&](code c, const std::string& fact, std::string_view fix) {
        throw error(
            c, "launch of '" + std::string(kernel) + "': the tile of " + t.file + ":" + std::to_string(t.line) + " " + fact,
            fix, where);
      };
      if (!size || *size < 0)
        refuse(shared_size, size ? "has an extent of " + std::to_string(*size) : "has an extent that divides by 0 or overflows",
               "check the arguments that its size is made of");
      if (*size % e.divisor != e.remainder)
        refuse(broken_contract,
               "has rows of " + std::to_string(*size) + " elements, the kernel relies on a number that leaves " +
                   std::to_string(e.remainder) + " when divided by " + std::to_string(e.divisor),
               "pad the rows, or declare the tile without the contract");
      if (__builtin_mul_overflow(bytes, *size, &bytes) || bytes > most_shown) bytes = most_shown;
    }
    sizes.push_back({t, bytes});
    sum += ptx::aligned_tile_bytes(bytes);
  }
  if (sum > std::int64_t{plan.most_bytes}) detail::refuse_shared(kernel, sizes, plan.most_bytes, where);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace tg::runtime
