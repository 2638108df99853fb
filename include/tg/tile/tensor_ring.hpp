// Rings of panels that one thread fills by tensor copies, each stage with an mbarrier that counts the bytes (sm_90a).
//
// Rectangles reach over the end of a matrix. Where scalar parameters decide where it ends, the map ends there too, and the copy
// itself writes zeros. Elsewhere (a matrix among others, whose place a block's number or memory decides) the map ends where the
// argument does, and threads write zeros over what the copy has read too much.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/base/tuple.hpp>
#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/mbarriers.hpp>
#include <tg/dsl/bulk/tensor_map.hpp>
#include <tg/dsl/bulk/view_map.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/operand_ring.hpp>
#include <tg/tile/producer.hpp>

namespace tg::detail {

/// Whether a column's type says that it is a multiple of `Elements`.
template <class Column, int Elements>
inline constexpr bool is_column_multiple = [] {
  if constexpr (is_constant<Column>) return Column::value % Elements == 0;
  else {
    constexpr analysis::lane_value known = index::evaluate<index_form<Column>>(0);
    return known.known && analysis::granularity(known) % Elements == 0;
  }
}();

/// Whether tensor copies fill `Ring` with rectangles like `Part`: panels with a map, of a view that always has one, that begin
/// at multiples of 16 bytes of a row.
template <class Ring, class Part> inline constexpr bool is_tensor_ring = false;
template <class T, int Stages, int Rows, int Columns, class View, class Row, class Column>
inline constexpr bool is_tensor_ring<panel_ring<T, Stages, Rows, Columns>, memory_tile<View, Rows, Columns, Row, Column>> = [] {
  constexpr int row_bytes = panel_ring<T, Stages, Rows, Columns>::panel_columns * static_cast<int>(sizeof(T));
  constexpr bool begins_at_16_bytes = is_column_multiple<Column, 16 / static_cast<int>(sizeof(T))>;
  return has_view_map<View> && begins_at_16_bytes && Rows % 8 == 0 && Rows <= 256 && row_bytes % 16 == 0;
}();

/// What one rectangle of each stage is copied by.
struct tensor_source {
  recorded_view_map map;
  bool cuts_rows = false;  // zeros are written where the matrix ends
  bool cuts_columns = false;
  int sharers = 1;  // blocks of the cluster that copy a part of the rows each, to all of them
};

/// The panels of a stage and the rectangles that they hold.
template <class T, int Stages, int Rows, int Columns> class tensor_panels {
  using ring = panel_ring<T, Stages, Rows, Columns>;
  static constexpr int width = ring::panel_columns;
  using layout = decltype(panel_layout<T, Rows, width>());
  static constexpr map_facts facts = make_map_facts<T, shape_t<Rows, width>, layout>();
  static constexpr int alignment_bytes = 128 << facts.swizzle;
  static constexpr int row_bytes = width * static_cast<int>(sizeof(T));

 public:
  static constexpr int bytes = Rows * Columns * static_cast<int>(sizeof(T));

  /// The map of the view that `part` is a rectangle of. No address: there is none, or threads would have to write zeros over
  /// single bytes, of which `tg::analyze` does not follow that all are written.
  /// `sharers`: how many blocks copy it together.
  template <class Part> static tensor_source source_of(const Part& part, int sharers) {
    const ptx::operand rows = operand_of<unsigned>(part.from.rows), columns = operand_of<unsigned>(part.from.columns);
    map_facts own = facts;
    own.box[1] /= static_cast<std::uint32_t>(sharers);
    const recorded_view_map map = map_view(part.from.view.registers(), own, rows, columns);
    const auto ends_there = [&](const auto& first, auto count, const ptx::operand& end) {
      return operand_of<unsigned>(first + count) == end;
    };
    const bool cuts_rows = !map.ends_with_rows && !ends_there(part.row, constant<Rows>{}, rows);
    const bool cuts_columns = !map.ends_with_columns && !ends_there(part.column, constant<Columns>{}, columns);
    if (sizeof(T) == 1 && (cuts_rows || cuts_columns)) return {};
    return {map, cuts_rows, cuts_columns, sharers};
  }
  /// How many of `blocks` in a cluster can copy a panel together: all of them, or one.
  static constexpr int sharers_of(int blocks) {
    const bool fits = Rows % blocks == 0 && Rows / blocks % 8 == 0 && Rows / blocks * row_bytes % alignment_bytes == 0;
    return fits ? blocks : 1;
  }

  /// Begins the copies of a rectangle, by one thread. Where `is_wanted` does not hold, of a place where no matrix is.
  template <class Slot, class Part>
  static void copy(const ring& to, const Slot& slot, const tensor_source& from, const Part& part, const value<bool>& is_wanted,
                   const ptx::operand& mbarrier, source_location where) {
    constexpr unsigned nowhere = 0x80000000u;                   // below every row
    const value<unsigned> own_row = [&]() -> value<unsigned> {  // of the rows that this block copies
      if (from.sharers == 1) return {tg::uniform(0).operand};
      const value<unsigned> rank{read_of_cluster(ptx::special::cluster_ctarank)};
      return {(rank * static_cast<unsigned>(Rows / from.sharers)).operand};
    }();
    const auto row = tg::select(is_wanted, part.row + own_row, nowhere);
    for (int p = 0; p < ring::panels; ++p) {
      const auto column = part.column + tg::uniform<width>(p * width);
      const ptx::operand place[] = {operand_of<unsigned>(row), operand_of<unsigned>(column)};
      const auto panel = to.stages().fill(slot * constant<ring::panels>{} + tg::uniform(p));
      bulk_load_facts copy{.to = bulk_address(panel, alignment_bytes),
                           .from = ptx::operand::address(from.map.address),
                           .map_coordinates = map_coordinates(place, 2),
                           .bytes = bytes / ring::panels / from.sharers,
                           .rank = 2};
      if (from.sharers > 1) {
        copy.to = tile_address(panel.whole().registers(), row_bytes, operand_of<unsigned>(panel.first_row() + own_row));
        copy.mask = ptx::operand::integer((1 << from.sharers) - 1);
      }
      begin_bulk_load(copy, mbarrier, where);
    }
  }

  /// Writes zeros where the matrix ends inside the rectangle, by all threads of the block, and shows them to wgmma.
  template <class Block, class Slot, class Part>
  static void cut(const Block& block, const ring& to, const Slot& slot, const tensor_source& from, const Part& part,
                  source_location where) {
    if (!from.cuts_rows && !from.cuts_columns) return;
    const auto ends = [](const auto& first, auto count, const auto& end) { return first + count > end; };
    const auto is_cut = [&]() -> value<bool> {
      const auto below = ends(part.row, constant<Rows>{}, part.from.rows);
      const auto beside = ends(part.column, constant<Columns>{}, part.from.columns);
      if (!from.cuts_columns) return {below.operand};
      if (!from.cuts_rows) return {beside.operand};
      return {(below || beside).operand};
    }();
    tg::if_(
        is_cut,
        [&] {
          for (int p = 0; p < ring::panels; ++p)
            cut_panel(block, to.stages().fill(slot * constant<ring::panels>{} + tg::uniform(p)), from, part,
                      part.column + tg::uniform<width>(p * width), where);
          fence_async_proxy(where);
        },
        where);
  }

 private:
  template <class Block, class Panel, class Part, class First>
  static void cut_panel(const Block& block, const Panel& panel, const tensor_source& from, const Part& part, const First& first,
                        source_location where) {
    constexpr int run = 16 / static_cast<int>(sizeof(T)), per_row = width / run;
    const ptx::operand zero = to_value<T>(T(0)).operand;
    fixed_array<ptx::operand, run> zeros;
    zeros.fill(zero);
    tg::for_(
        tg::range(block.thread_index(), constant<Rows * per_row>{}, constant<Block::shape::threads>{}),
        [&](const auto& n) {
          const auto row = n / constant<per_row>{};
          const auto column = n % constant<per_row>{} * constant<run>{};
          const auto is_below = part.row + row >= part.from.rows;
          const auto in_row = first + column;
          const auto put_zeros = [&] { panel.template vec<run>(row, column, checked{}, where) = to_vec<T>(zeros); };
          if (!from.cuts_columns) return tg::if_(is_below, put_zeros, where), void();
          tg::if_(is_below || in_row >= part.from.columns, put_zeros, where)
              .else_(
                  [&] {
                    for (int e = 1; e < run; ++e)
                      tg::if_(
                          in_row + tg::uniform(e) >= part.from.columns,
                          [&] {
                            panel(row, column + tg::uniform(e), allow<TG201>("the edge of a matrix"), where) = value<T>{zero};
                          },
                          where);
                  },
                  where);
        },
        where);
  }
};

/// The panels of a ring.
template <class Ring> struct tensor_panels_of;
template <class T, int Stages, int Rows, int Columns> struct tensor_panels_of<panel_ring<T, Stages, Rows, Columns>> {
  using type = tensor_panels<T, Stages, Rows, Columns>;
};

/// Rings for the rectangles of a stage, filled together: an mbarrier for each stage counts the bytes of all of them.
/// Requires: made outside of loops, by all threads; `block.sync()` stands in front of the first use.
template <class Shape, int Stages, class... Ring> class tensor_rings {
  template <std::size_t K> using panels = typename tensor_panels_of<tuple_element<K, tuple<Ring...>>>::type;
  using own_rings = tuple<Ring...>;
  using sources = fixed_array<tensor_source, sizeof...(Ring)>;

 public:
  static constexpr int bytes = (tensor_panels_of<Ring>::type::bytes + ...);

  /// The maps of the rectangles `parts`.
  template <class... Part> static sources sources_of(const tuple<Part...>& parts) {
    return sources_in_cluster(parts, parts, 1);
  }
  /// Those in a cluster of `blocks`, which copy together what all of them want at whatever step; `later`: the rectangles of a
  /// step that is no constant.
  template <class... Part, class... Later>
  static sources sources_in_cluster(const tuple<Part...>& parts, const tuple<Later...>& later, int blocks) {
    const auto sharers = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if (blocks == 1) return 1;
      const auto& part = get<K>(later);
      const ptx::operand all[] = {operand_of<unsigned>(part.row), operand_of<unsigned>(part.column),
                                  operand_of<unsigned>(part.from.rows), operand_of<unsigned>(part.from.columns)};
      for (const ptx::operand& one : all)
        if (!is_alike_in_cluster(one)) return 1;
      return panels<K>::sharers_of(blocks);
    };
    return [&]<std::size_t... K>(detail::index_sequence<K...>) {
      return sources{panels<K>::source_of(get<K>(parts), sharers(std::integral_constant<std::size_t, K>{}))...};
    }(detail::index_sequence_for<Ring...>{});
  }
  /// Whether other blocks of the cluster copy parts of what this one gets.
  bool are_shared() const {
    for (const tensor_source& s : from_)
      if (s.sharers > 1) return true;
    return false;
  }
  /// Whether there is one for each.
  static bool are_maps(const sources& all) {
    for (const tensor_source& s : all)
      if (!s.map.address.is_reg()) return false;
    return true;
  }

  tensor_rings(const block_handle<Shape>& block, const own_rings& rings, const sources& from, source_location where)
      : block_(block), rings_(rings), from_(from), full_(mbarriers<Stages>(block, constant<1>{}, where)), where_(where) {}

  /// Thread 0 begins to fill a stage. `is_wanted`: whether anybody multiplies it; else nothing is read.
  template <class Slot, class... Part>
  void fill(const Slot& slot, const tuple<Part...>& parts, const value<bool>& is_wanted) const {
    tg::if_(block_.thread_index() == constant<0>{}, [&] { fill_by_this(slot, parts, is_wanted); }, where_);
  }
  /// This thread does.
  template <class Slot, class... Part>
  void fill_by_this(const Slot& slot, const tuple<Part...>& parts, const value<bool>& is_wanted) const {
    const ptx::operand mbarrier = full_.address(slot, where_);
    arrive_at(mbarrier, bytes, false, where_);
    each([&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      const auto& part = get<K>(parts);
      panels<K>::copy(get<K>(rings_), slot, from_[K], part, exists(from_[K], part, is_wanted), mbarrier, where_);
    });
  }
  /// Waits until the phase of this parity has filled a stage.
  template <class Slot, class Parity> void wait(const Slot& slot, const Parity& parity) const {
    wait_at(full_.address(slot, where_), operand_of<unsigned>(parity), false, where_);
  }
  /// Whether zeros are to be written over what copies read too much.
  bool are_cut() const {
    for (const tensor_source& s : from_)
      if (s.cuts_rows || s.cuts_columns) return true;
    return false;
  }
  /// Writes them; behind the wait, in front of a barrier.
  template <class Slot, class... Part> void cut(const Slot& slot, const tuple<Part...>& parts) const {
    each([&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      panels<K>::cut(block_, get<K>(rings_), slot, from_[K], get<K>(parts), where_);
    });
  }
  /// The operands that a stage holds.
  template <class Slot> auto read(const Slot& slot) const {
    return detail::apply([&](const auto&... ring) { return to_tuple(ring.read(landed_slot{slot})...); }, rings_);
  }

 private:
  template <class F> static void each(const F& f) {
    [&]<std::size_t... K>(detail::index_sequence<K...>) {
      (f(std::integral_constant<std::size_t, K>{}), ...);
    }(detail::index_sequence_for<Ring...>{});
  }
  // A map has one row and one column at least. A matrix that scalar parameters say has none is not read.
  template <class Part> static value<bool> exists(const tensor_source& from, const Part& part, const value<bool>& is_wanted) {
    const auto rows = part.from.rows != 0u, columns = part.from.columns != 0u;
    if (from.map.ends_with_rows && from.map.ends_with_columns) return {(is_wanted && rows && columns).operand};
    if (from.map.ends_with_rows) return {(is_wanted && rows).operand};
    if (from.map.ends_with_columns) return {(is_wanted && columns).operand};
    return is_wanted;
  }

  block_handle<Shape> block_;
  const own_rings& rings_;
  sources from_;
  mbarriers_t<Stages, is_clustered<Shape>> full_;
  source_location where_;
};

/// The rings of tensor copies for these rings, one for each rectangle of a stage.
template <class Shape, int Stages, class Rings> struct tensor_rings_of;
template <class Shape, int Stages, class... Ring> struct tensor_rings_of<Shape, Stages, tuple<Ring...>> {
  using type = tensor_rings<Shape, Stages, Ring...>;
};

/// Whether tensor copies fill all of the rings.
template <class Rings, class Parts> inline constexpr bool are_tensor_rings = false;
template <class... Ring, class... Part>
inline constexpr bool are_tensor_rings<tuple<Ring...>, tuple<Part...>> = (is_tensor_ring<Ring, Part> && ...);

}  // namespace tg::detail
