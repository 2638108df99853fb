// Whether two arrays have an element in common.
#pragma once

#include <tg/array/node.hpp>

namespace tg::detail {

/// Whether some byte belongs to an element of both. Exact for what slices of one array can be; where the search would take
/// long, true.
bool share_elements(const array_place& a, int a_bytes, const array_place& b, int b_bytes);

}  // namespace tg::detail
