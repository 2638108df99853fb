// Chooses which axes become rows and which lie along lanes, and how wide accesses are.
#pragma once

#include <algorithm>
#include <cstdlib>

#include <tg/array/parameters.hpp>
#include <tg/array/planner.hpp>
#include <tg/array/split_schedule.hpp>

namespace tg::detail {

inline void array_planner::choose() {
  plan_.own.digit.fill(no_digit);
  plan_.own.final_digit.fill(no_digit);
  choose_schedule();
  bool are_short = true;
  for (int o = 0; o < operand_count(); ++o)
    for (std::size_t k = 0; k < most_array_rank; ++k)
      are_short = are_short && std::abs(numbers_of(o).row[k]) <= INT32_MAX && std::abs(numbers_of(o).loop[k]) <= INT32_MAX;
  plan_.own.has_short_strides = are_short;
}

/// Operands that lie alike, as most do, share the parameters that say how. Those of products have their own.
inline void array_planner::find_equal_strides() {
  const auto is_alike = [&](int a, int b) {
    const operand_class &x = class_of(a), &y = class_of(b);
    const operand_numbers &m = numbers_of(a), &n = numbers_of(b);
    return bytes_of_operand(a) == bytes_of_operand(b) && x.lane == y.lane && x.row_axes == y.row_axes &&
           x.lane_axes == y.lane_axes && x.loop_axes == y.loop_axes && m.row == n.row && m.loop == n.loop &&
           (x.lane == lane_step::dense || m.lane == n.lane);
  };
  for (int o = 0; o < operand_count(); ++o) {
    int first = o;
    for (int other = 0; other < o && plan_.own.schedule != array_schedule::product; ++other)
      if (has_parameters(f_, plan_.own, o) && has_parameters(f_, plan_.own, other) && is_alike(o, other)) {
        first = other;
        break;
      }
    class_of(o).strides_of = static_cast<std::uint8_t>(first);
  }
}

inline void array_planner::choose_schedule() {
  if (f_.reduction_count == 0) return choose_elements();
  if (f_.product_count > 0) return choose_product();
  const bool has_columns = outer_.count > 0;
  bool is_along_rows = inner_.count == 0, is_along_columns = false;
  for (int l = 0; l < f_.leaf_count; ++l) {
    if (!leaf(l).is_reduced) continue;
    const auto own = static_cast<std::size_t>(l);
    if (inner_.count > 0 && inner_[inner_.count - 1].stride[own] == bytes_of_operand(l)) is_along_rows = true;
    if (has_columns && outer_[outer_.count - 1].stride[own] == bytes_of_operand(l)) is_along_columns = true;
  }
  constexpr std::int64_t short_row = 32;
  const bool is_short = inner_.elements() < short_row && has_columns && outer_.elements() > inner_.elements();
  if (has_columns && (is_short || (is_along_columns && !is_along_rows))) choose_columns();
  else choose_rows();
}

/// Numbers along the first `count` axes come from the digits from `first` on: in reductions, outside of them, or both.
inline void array_planner::set_digits(const axis_nest& nest, int count, int first, bool inner, bool others) {
  for (int k = 0; k < count; ++k) {
    if (nest[k].number < 0) continue;
    const auto axis = static_cast<std::size_t>(nest[k].number);
    if (inner) plan_.own.digit[axis] = static_cast<std::int8_t>(first + k);
    if (others) plan_.own.final_digit[axis] = static_cast<std::int8_t>(first + k);
  }
}

/// The axes of rows are the first `count` of the nest.
inline void array_planner::set_rows(const axis_nest& rows, int count) {
  plan_.own.row_axes = static_cast<std::uint8_t>(count);
  set_digits(rows, count, 0, true, true);
  for (int k = 0; k < count; ++k) {
    plan_.row_extents[static_cast<std::size_t>(k)] = rows[k].extent;
    plan_.rows *= rows[k].extent;
  }
  if (plan_.rows > INT32_MAX)
    refuse(shape_impossible, std::to_string(plan_.rows) + " rows of arrays with gaps", "compute it in parts");
  for (int o = 0; o < operand_count(); ++o)
    for (int k = 0; k < count; ++k) {
      const std::int64_t stride = rows[k].stride[static_cast<std::size_t>(o)];
      numbers_of(o).row[static_cast<std::size_t>(k)] = stride;
      if (stride != 0) class_of(o).row_axes = static_cast<std::uint8_t>(class_of(o).row_axes | 1u << k);
    }
}

/// The axes along lanes of operands: of those in reductions, of others, or of both.
inline void array_planner::set_lanes(const axis_nest& lanes, bool inner, bool others) {
  for (int o = 0; o < operand_count(); ++o) {
    if (is_inner(o) ? !inner : !others) continue;
    operand_class& own = class_of(o);
    own.lane_axes = lanes.moves_of(o);
    own.lane = own.lane_axes == 0                       ? lane_step::none
               : lanes.is_dense(o, bytes_of_operand(o)) ? lane_step::dense
               : lanes.count == 1                       ? lane_step::strided
                                                        : lane_step::computed;
    for (int k = 0; k < lanes.count; ++k)
      numbers_of(o).lane[static_cast<std::size_t>(k)] = lanes[k].stride[static_cast<std::size_t>(o)];
  }
  set_digits(lanes, lanes.count, lane_digit, inner, others);
}

/// The axes that each thread goes along by itself.
inline void array_planner::set_loop(const axis_nest& loop, bool inner, bool others) {
  for (int o = 0; o < operand_count(); ++o) {
    if (is_inner(o) ? !inner : !others) continue;
    class_of(o).loop_axes = loop.moves_of(o);
    for (int k = 0; k < loop.count; ++k)
      numbers_of(o).loop[static_cast<std::size_t>(k)] = loop[k].stride[static_cast<std::size_t>(o)];
  }
  set_digits(loop, loop.count, loop_digit, inner, others);
}

/// Whether operand `o` can be read or written `width` elements at a time.
inline bool array_planner::fits(int width, int o) {
  const std::int64_t bytes = std::int64_t{width} * bytes_of_operand(o);
  const operand_numbers& own = numbers_of(o);
  if (bytes > analysis::widest_access_bytes || own.address % static_cast<driver::device_address>(bytes) != 0) return false;
  for (std::size_t k = 0; k < most_array_rank; ++k)
    if (own.row[k] % bytes != 0 || own.loop[k] % bytes != 0) return false;
  return true;
}

/// The widest access of all that lie densely along `lanes` elements. `inner`: what reductions read; `others`: what they do not.
inline int array_planner::widest(std::int64_t lanes, bool inner, bool others, bool has_tail) {
  for (int width = 8; width > 1; width /= 2) {
    if (!has_tail && lanes % width != 0) continue;
    bool does_fit = true, is_used = false;
    for (int o = 0; o < operand_count() && does_fit; ++o) {
      if (is_inner(o) ? !inner : !others) continue;
      if (o < f_.leaf_count && leaf(o).use == leaf_use::address) return 1;  // neighbours are read by neighbouring lanes
      if (o < f_.leaf_count && leaf(o).use == leaf_use::shape) continue;
      if (class_of(o).lane == lane_step::computed) does_fit = false;
      if (class_of(o).lane != lane_step::dense) continue;
      is_used = true;
      does_fit = does_fit && fits(width, o);
    }
    if (does_fit && is_used) return width;
  }
  return 1;
}

inline void array_planner::set_planes(std::int64_t row_blocks) {
  constexpr std::int64_t most = 65535;  // Source: CUDA C++ Programming Guide 13.0, table of technical specifications
  plan_.grid[1] = std::min(row_blocks, most);
  plan_.grid[2] = (row_blocks + plan_.grid[1] - 1) / plan_.grid[1];
  plan_.own.has_planes = plan_.grid[2] > 1;
}

/// The axis along which arrays are dense that lie across the result: whose neighbours along the result's lines are apart. -1
/// where there are none of them, or too short ones for tiles.
inline int array_planner::axis_of_lines() const {
  constexpr std::int64_t short_line = transposed_side / 2;
  const int last = outer_.count - 1;
  if (last < 1 || outer_[last].extent < short_line) return -1;
  for (int l = 0; l < f_.leaf_count; ++l)
    for (int k = 0; k < last; ++k)
      if (outer_[k].extent >= short_line && is_across(l, k)) return k;
  return -1;
}

/// Whether leaf `l`, which the kernel does not write, is dense along axis `k` and not along the last one.
inline bool array_planner::is_across(int l, int k) const {
  const auto own = static_cast<std::size_t>(l);
  const std::int64_t step = outer_[outer_.count - 1].stride[own];
  const bool is_read_only = leaf(l).use == leaf_use::element && !plan_.own.leaves[own].is_written;
  return is_read_only && outer_[k].stride[own] == bytes_of_operand(l) && step != 0 && std::abs(step) != bytes_of_operand(l);
}

/// Tiles of 32 x 32 elements where arrays lie across the result. Returns: whether there are such arrays.
inline bool array_planner::choose_transposed() {
  const int across = axis_of_lines();
  if (across < 0) return false;
  axis_nest lanes, loop, rows;
  lanes.add(outer_[outer_.count - 1]);
  loop.add(outer_[across]);
  for (int k = 0; k + 1 < outer_.count; ++k)
    if (k != across) rows.add(outer_[k]);
  const auto tiles_of = [](std::int64_t elements) { return (elements + transposed_side - 1) / transposed_side; };
  const std::int64_t row_tiles = tiles_of(loop.elements());
  if (lanes.elements() > INT32_MAX || loop.elements() > INT32_MAX || rows.elements() > INT32_MAX / row_tiles) return false;
  kernel_class& own = plan_.own;
  own.schedule = array_schedule::transposed;
  set_rows(rows, rows.count);
  set_lanes(lanes, true, true);
  set_loop(loop, true, true);
  own.lane_axes = own.loop_axes = 1;
  plan_.lanes = lanes.elements();
  plan_.loop = loop.elements();
  std::int64_t tile_bytes = 0;
  for (int l = 0; l < f_.leaf_count; ++l) {
    if (!is_across(l, across) || class_of(l).same_as != l) continue;
    tile_bytes += std::int64_t{transposed_side} * transposed_side * (bytes_of_operand(l) == 8 ? 8 : 4);
    if (tile_bytes > most_tile_bytes) break;
    class_of(l).lane = lane_step::across;
    class_of(l).loop_axes = 0;
  }
  own.threads = transposed_side;
  own.beside = 8;
  plan_.grid[0] = tiles_of(plan_.lanes);
  set_planes(plan_.rows * row_tiles);
  return true;
}

inline void array_planner::choose_elements() {
  if (choose_transposed()) return;
  kernel_class& own = plan_.own;
  constexpr std::int64_t short_row = 64;
  const std::int64_t along = outer_.count == 0 ? 1 : outer_[outer_.count - 1].extent;
  const bool is_flat = outer_.count <= 1 || (along < short_row && outer_.elements() <= INT32_MAX);
  if (is_flat) {
    own.schedule = array_schedule::flat;
    own.lane_axes = static_cast<std::uint8_t>(outer_.count);
    plan_.lanes = outer_.elements();
    for (int k = 0; k < outer_.count; ++k) plan_.lane_extents[static_cast<std::size_t>(k)] = outer_[k].extent;
    set_lanes(outer_, true, true);
    own.width = static_cast<std::uint8_t>(widest(plan_.lanes, true, true, true));
    const std::int64_t vectors = plan_.lanes / own.width;
    own.has_tail = plan_.lanes % own.width != 0;
    own.is_wide = plan_.lanes > INT32_MAX;
    plan_.grid = {(std::max<std::int64_t>(vectors, 1) + own.threads - 1) / own.threads, 1, 1};
    return;
  }
  own.schedule = array_schedule::matrix;
  axis_nest lanes;
  lanes.add(outer_[outer_.count - 1]);
  set_rows(outer_, outer_.count - 1);
  set_lanes(lanes, true, true);
  own.lane_axes = 1;
  plan_.lanes = along;
  own.width = static_cast<std::uint8_t>(widest(along, true, true, false));
  const std::int64_t vectors = along / own.width;
  own.threads = vectors >= 256 ? 256 : 32;
  own.beside = vectors >= 256 ? 1 : 8;
  own.is_wide = along > INT32_MAX;
  plan_.grid[0] = (vectors + own.threads - 1) / own.threads;
  set_planes((plan_.rows + own.beside - 1) / own.beside);
}

inline void array_planner::choose_rows() {
  kernel_class& own = plan_.own;
  own.schedule = array_schedule::rows;
  set_rows(outer_, outer_.count);
  own.lane_axes = static_cast<std::uint8_t>(inner_.count);
  plan_.lanes = inner_.elements();
  for (int k = 0; k < inner_.count; ++k) plan_.lane_extents[static_cast<std::size_t>(k)] = inner_[k].extent;
  const bool is_shared = own.final == final_pass::shared;
  set_lanes(inner_, true, is_shared);
  own.final_axes = static_cast<std::uint8_t>(final_.count);
  plan_.final_lanes = final_.elements();
  for (int k = 0; k < final_.count; ++k) plan_.final_extents[static_cast<std::size_t>(k)] = final_[k].extent;
  if (!is_shared) set_lanes(final_, false, true);
  own.width = static_cast<std::uint8_t>(widest(plan_.lanes, true, is_shared, false));
  own.is_wide = std::max(plan_.lanes, plan_.final_lanes) > INT32_MAX;

  // A row stays in registers where 64 hold what is read of it.
  int held = 0;
  for (int l = 0; l < f_.leaf_count; ++l) {
    const operand_class& c = own.leaves[static_cast<std::size_t>(l)];
    if (leaf(l).is_reduced && leaf(l).use == leaf_use::element && c.same_as == l && c.lane != lane_step::none) ++held;
  }
  const std::int64_t most_chunks = std::clamp<std::int64_t>(64 / (own.width * std::max(held, 1)), 1, 8);
  const auto chunks_of = [&](std::int64_t threads) { return (plan_.lanes + threads * own.width - 1) / (threads * own.width); };
  constexpr std::int64_t few_rows = 1024;  // blocks that a large GPU holds at a time
  own.threads = 1024;
  for (const std::uint16_t threads : {std::uint16_t{32}, std::uint16_t{256}}) {
    const bool is_enough =
        chunks_of(threads) <= most_chunks && (threads > 32 || plan_.rows >= few_rows || chunks_of(threads) <= 2);
    if (!is_enough) continue;
    own.threads = threads;
    break;
  }
  if (own.is_scanned) {
    own.threads = chunks_of(32) <= 4 ? 32 : chunks_of(256) <= 8 ? 256 : 1024;
  } else if (chunks_of(own.threads) <= most_chunks) {
    own.chunks = static_cast<std::uint8_t>(std::max<std::int64_t>(chunks_of(own.threads), 1));
    own.is_exact = plan_.lanes == std::int64_t{own.chunks} * own.threads * own.width;
  } else if (plan_.rows >= few_rows) {
    own.threads = 256;
  }
  own.beside = own.threads == 32 ? 8 : 1;
  plan_.grid = {(plan_.rows + own.beside - 1) / own.beside, 1, 1};
  split_rows();
}

inline void array_planner::choose_columns() {
  kernel_class& own = plan_.own;
  own.schedule = array_schedule::columns;
  axis_nest lanes;
  lanes.add(outer_[outer_.count - 1]);
  set_rows(outer_, outer_.count - 1);
  own.lane_axes = 1;
  plan_.lanes = lanes[0].extent;
  set_lanes(lanes, true, true);
  const bool is_shared = own.final == final_pass::shared;
  set_loop(inner_, true, is_shared);
  if (!is_shared) set_loop(final_, false, true);
  own.loop_axes = static_cast<std::uint8_t>(inner_.count);
  plan_.loop = inner_.elements();
  for (int k = 0; k < inner_.count; ++k) plan_.loop_extents[static_cast<std::size_t>(k)] = inner_[k].extent;
  own.final_axes = static_cast<std::uint8_t>(final_.count);
  plan_.final_lanes = final_.elements();
  for (int k = 0; k < final_.count; ++k) plan_.final_extents[static_cast<std::size_t>(k)] = final_[k].extent;
  if (plan_.loop > INT32_MAX || plan_.final_lanes > INT32_MAX)
    refuse(shape_impossible, "columns of " + std::to_string(std::max(plan_.loop, plan_.final_lanes)) + " elements",
           "compute it in parts");
  own.width = static_cast<std::uint8_t>(std::min(4, widest(plan_.lanes, true, true, false)));
  own.is_wide = plan_.lanes > INT32_MAX;
  own.threads = 32;
  constexpr std::int64_t long_column = 256;
  own.beside = own.is_scanned ? 1 : plan_.loop >= long_column ? 32 : plan_.loop >= 8 ? 8 : 1;
  plan_.grid[0] = (plan_.lanes / own.width + own.threads - 1) / own.threads;
  set_planes(plan_.rows);
  split_columns();
}

}  // namespace tg::detail
