// How the tensor maps of views are made.
#pragma once

#include <tg/runtime/view_maps.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/driver/structures.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/runtime/tensor_map.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION view_map_plan plan_view_maps(const ptx::module& text, const ptx::function& kernel) {
  view_map_plan out;
  out.maps = text.maps;
  out.places = ptx::places_of_arguments(kernel.params);
  for (const ptx::view_map& m : out.maps)
    out.bytes = std::max(out.bytes, out.places[m.parameter].offset + sizeof(driver::tensor_map));
  return out;
}

TG_LIBRARY_FUNCTION dynamic_array<std::byte> make_view_maps(const launch_site& site, const view_map_plan& plan,
                                                            const std::byte* packed, std::size_t bytes,
                                                            const matrix_extents* own, std::size_t own_count) {
  dynamic_array<std::byte> out(plan.bytes);
  std::memcpy(out.data(), packed, std::min(bytes, out.size()));
  constexpr std::int64_t most = std::int64_t{1} << 31;  // coordinates of tensor copies are signed
  for (const ptx::view_map& m : plan.maps) {
    const auto value = [&](const ptx::launch_number& n) { return ptx::evaluate(n, plan.places, packed).value_or(-1); };
    const std::size_t place = plan.places[static_cast<std::size_t>(m.address[0].value)].offset;
    const matrix_extents* const found =
        std::find_if(own, own + own_count, [&](const matrix_extents& e) { return e.offset == place; });
    const int number = found == own + own_count ? 0 : found->number;
    const auto extent = [&](const ptx::launch_number& said, std::uint64_t matrix_extents::* of_argument, const char* what) {
      const std::int64_t n = !said.empty() ? value(said) : number == 0 ? -1 : static_cast<std::int64_t>(found->*of_argument);
      if (n < 0 || n >= most)
        detail::fail_map(number == 0 ? nullptr : &site, number, map_extent,
                         "has " + (n < 0 ? std::string("no known number of ") : std::to_string(n) + " ") + what +
                             ", of which tensor copies reach those before 2^31",
                         "launch in parts, or a kernel for sm_80", site.where);
      return static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1));  // the kernel reads none where there are none
    };
    tg::detail::map_facts facts;
    facts.type = m.type;
    facts.rank = 2;
    facts.element_bytes = m.element_bytes;
    facts.box[0] = m.box_columns;
    facts.box[1] = m.box_rows;
    facts.swizzle = m.swizzle;
    detail::map_array array{.address = static_cast<driver::device_address>(value(m.address))};
    array.extents[0] = extent(m.columns, &matrix_extents::columns, "columns");
    array.extents[1] = extent(m.rows, &matrix_extents::rows, "rows");
    array.strides[0] = static_cast<std::uint64_t>(value(m.pitch_bytes));
    driver::tensor_map made;
    detail::encode(site.device, facts, array, made, number == 0 ? nullptr : &site, number, site.where);
    std::memcpy(out.data() + plan.places[m.parameter].offset, &made, sizeof made);
  }
  return out;
}

}  // namespace tg::runtime
