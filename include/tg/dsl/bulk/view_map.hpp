// Tensor maps of views: parameters of a kernel that its C++ does not name and that the launch makes of the view's argument, so
// that tensor copies read what is an ordinary view (runtime/view_maps.hpp).
#pragma once

#include <tg/dsl/bulk/map_facts.hpp>
#include <tg/dsl/memory/view.hpp>

namespace tg::detail {

/// Whether what a view's type promises lets every matrix that it is launched with have a map: the address and the rows at
/// multiples of 16 bytes. Read-only views alone: what a kernel writes, tensor copies see only behind a fence.
template <class View> inline constexpr bool has_view_map = false;
template <class T, class... O>
inline constexpr bool has_view_map<view<T, mode::read, 2, O...>> = [] {
  using own = view<T, mode::read, 2, O...>;
  return map_type_of<T>() >= 0 && own::alignment_bytes % 16 == 0 &&
         own::leading_multiple_of * static_cast<long long>(sizeof(T)) % 16 == 0;
}();

/// A map of a view as it is recorded.
struct recorded_view_map {
  ptx::operand address;         // none: the view is no parameter of this kernel
  bool ends_with_rows = false;  // outside of the rows that the kernel says it reads zeros; else of those of the argument
  bool ends_with_columns = false;
};

/// Declares the parameter that is a map of `view`, once for views, boxes and extents that are alike. `rows`, `columns`: 32-bit
/// numbers of what the kernel says the matrix has; where scalar parameters decide one, the map has as many. Requires: rank 2.
recorded_view_map map_view(const view_registers& view, const map_facts& facts, const ptx::operand& rows,
                           const ptx::operand& columns);

}  // namespace tg::detail
