// pitch<33>: the distance in elements between the starts of two rows of a tile.
#pragma once

namespace tg {

/// Distance in elements between two rows; larger than the columns when rows are padded.
template <int Elems> struct pitch_t {
  static_assert(Elems > 0, "pitch<E> requires 'E' to be positive");

  static constexpr int elems = Elems;

  /// Returns: the element index of (`row`, `col`).
  static constexpr long long index(long long row, long long col) { return row * Elems + col; }
};

/// The value form of `pitch_t`: `pitch<33>`.
template <int Elems> inline constexpr pitch_t<Elems> pitch{};

}  // namespace tg
