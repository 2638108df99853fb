// Tensor copies: a box of an array of 1 to 5 dimensions to a tile and back, one instruction for all of it.
//
//   full.expect(0, tg::tensor_copy(tile, a(row, column)));     // the tile has the type, box and swizzle of the map
//   tg::tensor_store(c(row, column), tile);                    // by one thread, counted in groups (bulk_groups.hpp)
//
// Source: PTX ISA 9.0, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor", "cp.async.bulk.prefetch.tensor".
#pragma once

#include <tg/dsl/bulk/bulk_store.hpp>
#include <tg/dsl/bulk/tensor_map.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: the tile that the map moves.
template <class> struct tile_of_map {};
/// In a compile error: the tile that was given.
template <class> struct given_tile {};

template <bool Ok, class Facts = void> struct tensor_tile {
  static_assert(Ok, "TG150: the tile is not what this tensor map moves: it has the map's element type, as many rows of as many "
                    "elements as the map's box, and the map's swizzle; a stage begins at a multiple of 128 bytes, of 8 rows "
                    "where it is swizzled");
};
template <bool Ok, class Facts = void> struct tensor_direction {
  static_assert(Ok, "TG150: tg::in_map is read, tg::out_map is written, tg::inout_map both and reduced into");
};
template <bool Ok, class Facts = void> struct tensor_reduction {
  static_assert(Ok, "TG150: the hardware has no such reduction for the elements of this map");
};

}  // namespace diagnosis

namespace detail {

template <class Map, class Tile> constexpr bool is_tile_of_map() {
  if constexpr (!bulk_tile_of<Tile>::is_tile) return false;
  else {
    using facts = typename bulk_tile_of<Tile>::facts;
    constexpr bool has_pitch = facts::is_tile;  // rows without gaps, whatever their order
    constexpr bool has_layout =
        std::is_same_v<typename facts::layout, typename Map::layout> || (Map::facts.swizzle == 0 && facts::is_linear);
    return has_pitch && has_layout && std::is_same_v<typename facts::element_type, typename Map::element_type> &&
           facts::columns == Map::columns && facts::rows == Map::rows &&
           (!bulk_tile_of<Tile>::is_stage || facts::bytes % Map::alignment_bytes == 0);
  }
}

template <class Map, class Tile>
using tensor_tile_check = diagnosis::tensor_tile<is_tile_of_map<Map, Tile>(),
                                                 diagnosis::types<diagnosis::tile_of_map<Map>, diagnosis::given_tile<Tile>>>;

/// Whether the elements of a map of T are reduced so. Source: PTX ISA 9.0, "cp.reduce.async.bulk.tensor".
template <reduction How, class T> inline constexpr bool has_tensor_reduction = has_bulk_reduction<How, T>;

/// cp.async.bulk.tensor to global memory; with a name, cp.reduce.async.bulk.tensor.
void emit_tensor_store(const ptx::operand& map, const ptx::operand& coordinates, int rank, bool is_im2col,
                       const ptx::operand& from, ptx::token how, source_location where);
/// cp.async.bulk.prefetch.tensor.
void emit_tensor_prefetch(const ptx::operand& map, const ptx::operand& coordinates, const ptx::operand& offsets, int rank,
                          source_location where);

}  // namespace detail

/// A copy of the box that begins at this place, for `barriers.expect`; the bytes of what lies outside of the array count too.
/// The tile is made to begin where its swizzle does. Requires: nobody else uses the tile from `expect` until the wait.
/// Errors: TG150. PTX: cp.async.bulk.tensor.shared::cluster.global.tile; sm_90.
template <class Tile, class Map> auto tensor_copy(const Tile& to, const map_place<Map>& from) {
  using found = detail::tensor_tile_check<Map, Tile>;
  using reads = diagnosis::tensor_direction<Map::access != mode::write, Map>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found> || !diagnosis::is_ok<sizeof(reads), reads>)
    return bytes_from_elsewhere<0>{};
  else
    return copy_to_shared<Map::bytes>({.to = detail::bulk_address(to, Map::alignment_bytes),
                                       .from = ptx::operand::address(from.map),
                                       .map_coordinates = from.coordinates,
                                       .offsets = from.offsets,
                                       .bytes = Map::bytes,
                                       .rank = Map::rank});
}

/// Begins to copy the tile to the box that begins at this place; what lies outside of the array is left out. It is done behind
/// a wait for its group. Requires: coordinates of 0 or above; called by one thread; what threads wrote to the tile is seen:
/// `tg::fence_async_proxy()` by each, then a barrier; nobody writes to it before `wait_read`. Errors: TG150. PTX:
/// cp.async.bulk.tensor.global.shared::cta; sm_90.
template <class Map, class Tile>
void tensor_store(const map_place<Map>& to, const Tile& from, source_location where = source_location::current()) {
  using found = detail::tensor_tile_check<Map, Tile>;
  using writes = diagnosis::tensor_direction<Map::access != mode::read, Map>;
  if constexpr (diagnosis::is_ok<sizeof(found), found> && diagnosis::is_ok<sizeof(writes), writes>) {
    detail::require_stored_inside(to.is_before, where);
    detail::emit_tensor_store(to.map, to.coordinates, Map::rank, Map::facts.is_im2col,
                              detail::bulk_address(from, Map::alignment_bytes), ptx::token::none, where);
  }
}

/// Begins to reduce the tile into the box that begins at this place; each element by itself is atomic. Requires: as
/// `tensor_store`. Errors: TG150. PTX: cp.reduce.async.bulk.tensor; sm_90.
template <reduction How, class Map, class Tile>
void tensor_reduce(const map_place<Map>& to, const Tile& from, source_location where = source_location::current()) {
  using element = typename Map::element_type;
  using found = detail::tensor_tile_check<Map, Tile>;
  using writes = diagnosis::tensor_direction<Map::access == mode::read_write, Map>;
  using known = diagnosis::tensor_reduction<detail::has_tensor_reduction<How, element>,
                                            diagnosis::types<diagnosis::asked_reduction<How>, element>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found> && diagnosis::is_ok<sizeof(writes), writes> &&
                diagnosis::is_ok<sizeof(known), known>) {
    detail::require_stored_inside(to.is_before, where);
    detail::emit_tensor_store(to.map, to.coordinates, Map::rank, Map::facts.is_im2col,
                              detail::bulk_address(from, Map::alignment_bytes), detail::reduction_name(How), where);
  }
}

/// Fetches the box that begins at this place to the L2 cache. PTX: cp.async.bulk.prefetch.tensor; sm_90.
template <class Map> void tensor_prefetch(const map_place<Map>& from, source_location where = source_location::current()) {
  detail::emit_tensor_prefetch(from.map, from.coordinates, from.offsets, Map::rank, where);
}

}  // namespace tg
