// shape<32, 32>: the extents of a tile, outermost first, as a value whose type carries them.
#pragma once

namespace tg {

/// Extents of a tile or block, outermost first.
template <int... Extents> struct shape_t {
  static_assert(((Extents > 0) && ...), "shape<E...> requires every extent to be positive");

  static constexpr int rank = sizeof...(Extents);
  static constexpr int size = (1 * ... * Extents);

  /// Returns: the extent of dimension `d`, or 1 when the shape has no such dimension.
  static constexpr int extent(int d) {
    int at = 0;
    int found = 1;
    ((at++ == d ? void(found = Extents) : void()), ...);
    return found;
  }
};

/// The value form of `shape_t`: `shape<32, 32>`.
template <int... Extents> inline constexpr shape_t<Extents...> shape{};

}  // namespace tg
