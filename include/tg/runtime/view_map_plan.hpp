// The tensor maps that each launch of a kernel makes of its views, behind the parameters that its C++ names.
#pragma once

#include <cstddef>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/view_map.hpp>

namespace tg::runtime {

/// What a launch needs to make them.
struct view_map_plan {
  dynamic_array<ptx::view_map> maps;
  dynamic_array<ptx::launch_argument> places;  // of all parameters in the packed buffer
  std::size_t bytes = 0;                       // of the buffer with the maps

  bool is_empty() const { return maps.empty(); }
};

}  // namespace tg::runtime
