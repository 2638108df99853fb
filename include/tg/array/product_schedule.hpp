// How a product of matrices is computed: which operand lies how, and which blocks there are.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>

#include <tg/array/planner.hpp>
#include <tg/array/product_site.hpp>

namespace tg::detail {

/// How the tiles of an operand are read. `product`: among the reductions; `side`: as `side_of` says. `pitch`: of its rows, in
/// bytes.
inline product_layout array_planner::layout_of_operand(int product, int side, std::int64_t& pitch) const {
  const product_facts& p = f_.product;
  if (!(side == 1 ? p.is_left_array : p.is_right_array)) return product_layout::computed;
  const int l = f_.reductions[static_cast<std::size_t>(product)].first.leaves + (side == 1 ? 0 : p.left.leaves);
  const auto own = static_cast<std::size_t>(l);
  const auto stride = [&](int axis) { return strides_[own][static_cast<std::size_t>(axis)]; };
  constexpr std::int64_t most = INT32_MAX, piece = 16;
  const auto is_pitch = [&](std::int64_t n) { return n >= 0 && n <= most && n % piece == 0; };
  bool is_aligned = place_of_leaf(l).address % piece == 0;
  for (int a = 0; a < f_.rank; ++a) is_aligned = is_aligned && (a == p.row || a == p.column || stride(a) % piece == 0);
  if (!is_aligned) return product_layout::computed;
  const std::int64_t along = stride(p.depth), across = stride(side == 1 ? p.row : p.column);
  pitch = along == bytes_of_operand(l) ? across : along;
  if (along == bytes_of_operand(l) && is_pitch(across)) return product_layout::along;
  if (across == bytes_of_operand(l) && is_pitch(along) && p.has_across) return product_layout::across;
  return product_layout::computed;
}

/// Whether neighbours in memory of an operand's first array lie along the depth.
inline bool array_planner::is_along_depth(int side) const {
  for (int l = 0; l < f_.leaf_count; ++l) {
    if (side_of(l) != side || leaf(l).use == leaf_use::shape) continue;
    const auto& own = strides_[static_cast<std::size_t>(l)];
    const std::int64_t along = std::abs(own[static_cast<std::size_t>(f_.product.depth)]);
    const std::int64_t across = std::abs(own[static_cast<std::size_t>(side == 1 ? f_.product.row : f_.product.column)]);
    if (along != 0 || across != 0) return across == 0 || (along != 0 && along <= across);
  }
  return true;
}

/// An operand with one axis in the loop and one along the lanes, each of which may have extent 1.
inline void array_planner::lie_along(int o, const axis_nest& loop, const axis_nest& lanes) {
  operand_class& own = class_of(o);
  own.loop_axes = loop.moves_of(o);
  own.lane_axes = lanes.moves_of(o);
  if (loop.count > 0) numbers_of(o).loop[0] = loop[0].stride[static_cast<std::size_t>(o)];
  if (lanes.count > 0) numbers_of(o).lane[0] = lanes[0].stride[static_cast<std::size_t>(o)];
  own.lane = own.lane_axes == 0                       ? lane_step::none
             : lanes.is_dense(o, bytes_of_operand(o)) ? lane_step::dense
                                                      : lane_step::strided;
}

/// Two products with the same left operand are computed by one kernel. Errors: TG706 for others, and for three.
inline void array_planner::choose_pair() {
  kernel_class& own = plan_.own;
  const reduction_facts& first = f_.reductions[0];
  for (int k = 1; k < f_.reduction_count; ++k) {
    const reduction_facts& other = f_.reductions[static_cast<std::size_t>(k)];
    const std::uint8_t same = own.same_reduction[static_cast<std::size_t>(k)];
    if (same == 0 || same == own.other_product) continue;
    bool is_left_shared = other.kind == first.kind;
    for (int l = 0; l < f_.product.left.leaves && is_left_shared; ++l)
      is_left_shared = own.leaves[static_cast<std::size_t>(other.first.leaves + l)].same_as ==
                       own.leaves[static_cast<std::size_t>(first.first.leaves + l)].same_as;
    for (int s = 0; s < f_.product.left.scalars && is_left_shared; ++s)
      is_left_shared = operands_.scalars[static_cast<std::size_t>(other.first.scalars + s)] ==
                       operands_.scalars[static_cast<std::size_t>(first.first.scalars + s)];
    if (!is_left_shared)
      refuse(reduction_impossible, "two products of matrices in one expression with different left operands",
             "name one of them with tg::eval");
    if (own.form == product_form::pair)
      refuse(reduction_impossible, "three different products of matrices in one expression", "name one of them with tg::eval");
    own.form = product_form::pair;
    own.other_product = static_cast<std::uint8_t>(k);
  }
}

/// How operands are read: all as they lie, or all element by element.
inline void array_planner::choose_layouts(int left, int right) {
  kernel_class& own = plan_.own;
  using enum product_layout;
  own.left = layout_of_operand(0, left, plan_.left_pitch);
  own.right = layout_of_operand(0, right, plan_.right_pitch);
  if (own.form == product_form::pair) {
    std::int64_t pitch = 0;
    const bool is_alike = layout_of_operand(own.other_product, right, pitch) == own.right && pitch == plan_.right_pitch;
    if (own.left == across || !is_alike) own.right = computed;
  }
  if (own.left == computed || own.right == computed) own.left = own.right = computed;
}

inline void array_planner::choose_product() {
  const product_facts& p = f_.product;
  kernel_class& own = plan_.own;
  choose_pair();
  own.schedule = array_schedule::product;
  const auto result_stride = [&](int axis) {
    return strides_[static_cast<std::size_t>(operand_of_result(0))][static_cast<std::size_t>(axis)];
  };
  const int bytes = bytes_of_operand(operand_of_result(0));
  own.is_swapped = own.form != product_form::pair && result_stride(p.row) == bytes && result_stride(p.column) != bytes;
  const int row = own.is_swapped ? p.column : p.row, column = own.is_swapped ? p.row : p.column;
  const int left = own.is_swapped ? 2 : 1, right = 3 - left;

  const axis_nest rows = nest_of(1u << row, false), columns = nest_of(1u << column, false);
  const axis_nest depth = nest_of(1u << p.depth, true);
  axis_nest matrices = nest_of(((1u << f_.rank) - 1) & ~(1u << row | 1u << column), false);
  std::uint32_t pinned = 0;
  for (int k = 0; k < f_.number_count; ++k) pinned |= 1u << f_.numbers[static_cast<std::size_t>(k)].axis;
  matrices.sort(operand_count(), operand_of_result(0));
  matrices.join(operand_count(), pinned);
  set_rows(matrices, matrices.count);

  choose_layouts(left, right);
  constexpr int with_groups = 90;
  own.by_groups =
      p.has_groups && own.left != product_layout::computed && plan_.context->limits().compute_capability == with_groups;
  own.is_left_along = is_along_depth(left);
  own.is_right_along = is_along_depth(right);
  for (int o = 0; o < operand_count(); ++o) {
    const int side = o < f_.leaf_count ? side_of(o) : 0;
    if (side == 0) lie_along(o, rows, columns);
    else if (own.left == product_layout::computed) lie_along(o, side == left ? rows : columns, depth);
  }
  set_digits(rows, rows.count, loop_digit, false, true);
  set_digits(columns, columns.count, lane_digit, false, true);

  plan_.loop = extents_[static_cast<std::size_t>(row)];
  plan_.lanes = extents_[static_cast<std::size_t>(column)];
  own.lane_axes = own.loop_axes = 1;
  own.threads = p.threads;
  const product_tile tile = product_tile_of(own.form);
  const std::int64_t down = (plan_.loop + tile.rows - 1) / tile.rows, across = (plan_.lanes + tile.columns - 1) / tile.columns;
  own.width = static_cast<std::uint8_t>(std::min(tile.columns / 32, widest(plan_.lanes, false, true, false)));
  own.band = down < product_band ? 1 : product_band;
  plan_.grid = {across * own.band, (down + own.band - 1) / own.band, plan_.rows};
  constexpr std::int64_t most_blocks = 65535;  // Source: CUDA C++ Programming Guide 13.0, table of technical specifications
  own.has_planes = plan_.rows > most_blocks;
  const std::int64_t most = INT32_MAX - tile.rows;
  if (std::max({plan_.loop, plan_.lanes, static_cast<std::int64_t>(plan_.count)}) > most || plan_.grid[1] > most_blocks ||
      (own.has_planes && plan_.grid[0] > INT32_MAX / plan_.rows))
    refuse(shape_impossible,
           "tg::matmul of " + std::to_string(plan_.rows) + " matrices of " + std::to_string(plan_.loop) + " x " +
               std::to_string(plan_.count) + " and " + std::to_string(plan_.count) + " x " + std::to_string(plan_.lanes),
           "compute it in parts");
  if (own.has_planes) plan_.grid = {plan_.grid[0] * plan_.rows, plan_.grid[1], 1};
}

}  // namespace tg::detail
