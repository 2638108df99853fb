// What happened to the rectangles of one view while a kernel is recorded.
#pragma once

#include <cstdint>

#include <tg/base/source_location.hpp>

namespace tg::detail {

/// How often rectangles of a view have been assigned.
struct rectangle_change {
  std::uint32_t view = 0;  // the register with its address
  std::uint32_t count = 0;
  source_location where = {};  // of the last assignment
};

}  // namespace tg::detail
