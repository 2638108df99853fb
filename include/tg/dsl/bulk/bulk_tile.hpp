// What bulk copies know of the tiles that they move: type, extents, layout, and where one begins.
#pragma once

#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/cluster/remote_tile.hpp>
#include <tg/dsl/memory/shared.hpp>

namespace tg {

namespace diagnosis {

template <bool Ok, class Facts = void> struct bulk_tile {
  static_assert(Ok, "TG148: a bulk copy moves a whole tile of numbers, or a stage of tg::stages, of 16 bytes or a multiple; to "
                    "and from views its rows lie without gaps and without a swizzle, and elements are of one type");
};

}  // namespace diagnosis

namespace detail {

template <class T, int Rows, int Columns, class Layout> struct bulk_tile_facts {
  using element_type = T;
  using layout = Layout;
  using rules = layout_rules<Layout, Columns>;
  static constexpr bool is_tile = scalar_type<T> && rules::pitch == Columns;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int row_bytes = Columns * static_cast<int>(sizeof(T));
  static constexpr long long bytes = 1ll * Rows * row_bytes;
  static constexpr bool is_linear = is_tile && !rules::permutes;
};

/// Facts of a tile or of a stage.
template <class Tile> struct bulk_tile_of { static constexpr bool is_tile = false; };
template <class T, class Shape, class Layout> struct bulk_tile_of<tile<T, Shape, Layout>> {
  static constexpr bool is_tile = true;
  static constexpr bool is_stage = false;
  using facts = bulk_tile_facts<T, tile<T, Shape, Layout>::rows, tile<T, Shape, Layout>::columns, Layout>;
};
template <class T, int All, int C, class Layout, int Rows, mode Mode, class First>
struct bulk_tile_of<stage_view<tile<T, shape_t<All, C>, Layout>, Rows, Mode, First>> {
  static constexpr bool is_tile = true;
  static constexpr bool is_stage = true;
  using facts = bulk_tile_facts<T, Rows, C, Layout>;
};

/// Whether the tile can be moved to or from elements of T that lie one behind the other.
template <class Tile, class T> constexpr bool is_bulk_tile() {
  if constexpr (!bulk_tile_of<Tile>::is_tile) return false;
  else {
    using facts = typename bulk_tile_of<Tile>::facts;
    return facts::is_linear && facts::bytes % 16 == 0 && std::is_same_v<typename facts::element_type, T>;
  }
}

/// Where the bytes of a tile begin, at a multiple of `alignment_bytes` that a stage's size is a multiple of too.
template <class Tile> ptx::operand bulk_address(const Tile& t, int alignment_bytes) {
  using facts = typename bulk_tile_of<Tile>::facts;
  auto& recording = tracer::current();
  if constexpr (bulk_tile_of<Tile>::is_stage) {
    recording.align_tile(t.whole().registers().variable, alignment_bytes);
    return tile_address(t.whole().registers(), facts::row_bytes, operand_of<unsigned>(t.first_row()));
  } else {
    recording.align_tile(t.registers().variable, alignment_bytes);
    return ptx::operand::address(t.registers().variable);
  }
}

}  // namespace detail

}  // namespace tg
