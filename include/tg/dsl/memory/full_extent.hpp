// All indices of a dimension, where a part of a view or an array is cut.
#pragma once

namespace tg {

/// The type of `tg::full_extent`.
struct full_extent_t {};
/// All of a dimension: `tg::subview(m, row, tg::full_extent)`.
inline constexpr full_extent_t full_extent{};

}  // namespace tg
