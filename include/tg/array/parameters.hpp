// The parameters of a kernel that evaluates an expression, in their order: the recorder declares them and each launch packs
// them by one function.
#pragma once

#include <tg/array/plan.hpp>

namespace tg::detail {

/// What a parameter is. Those of operands have the operand's number, arrays before results, and an axis.
enum class array_parameter : std::uint8_t {
  base,          // u64: where an operand begins
  row_stride,    // s64, in bytes; s32 where they are short
  lane_stride,   // s64
  loop_stride,   // as row_stride
  scalar,        // as its type says
  lanes,         // elements along the lanes; of flat kernels vectors. u32, or u64 of a wide kernel
  rest,          // u32: elements behind the last vector
  rows,          // u32
  loop,          // u32
  final_lanes,   // as lanes
  count,         // u64: elements that are reduced
  row_extent,    // u32
  lane_extent,   // as lanes
  loop_extent,   // u32
  final_extent,  // as lanes
  parts,         // u64: where blocks leave their parts of rows
  tickets,       // u64: how many blocks of each row have come
  depth,         // u32: of a product
  left_pitch,    // u32, in bytes: of a product's operand that is not computed
  right_pitch,
};

/// The bytes of a parameter that is no scalar.
constexpr std::size_t bytes_of(array_parameter what, const kernel_class& own) {
  using enum array_parameter;
  switch (what) {
    case row_stride:
    case loop_stride: return own.has_short_strides ? 4 : 8;
    case lanes:
    case final_lanes:
    case lane_extent:
    case final_extent: return own.is_wide ? 8 : 4;
    case rest:
    case rows:
    case loop:
    case row_extent:
    case loop_extent:
    case depth:
    case left_pitch:
    case right_pitch: return 4;
    case base:
    case lane_stride:
    case count:
    case parts:
    case tickets:
    case scalar: break;
  }
  return 8;
}

/// Whether an operand has parameters of its own: other leaves are read as the first that is the same array, and a result that
/// is also read is written where that leaf is.
constexpr bool has_parameters(const expression_facts& f, const kernel_class& own, int operand) {
  const auto k = static_cast<std::size_t>(operand);
  if (operand < f.leaf_count) return f.leaves[k].use != leaf_use::shape && own.leaves[k].same_as == operand;
  const std::size_t r = k - static_cast<std::size_t>(f.leaf_count);
  return own.results[r].same_as == no_leaf && !f.results[r].is_scattered;
}

/// Calls `pass(what, operand or number, axis, value)` for each.
template <class Pass> void for_each_parameter(const expression_facts& f, const array_plan& plan, Pass pass) {
  using enum array_parameter;
  const kernel_class& own = plan.own;
  const auto number = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  const auto pass_operand = [&](int o, const operand_class& c, const operand_numbers& n) {
    pass(base, o, 0, n.address);
    for (int k = 0; k < most_array_rank && c.strides_of == o; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      if ((c.row_axes >> k & 1) != 0) pass(row_stride, o, k, number(n.row[axis]));
      if ((c.lane_axes >> k & 1) != 0 && c.lane != lane_step::dense) pass(lane_stride, o, k, number(n.lane[axis]));
      if ((c.loop_axes >> k & 1) != 0) pass(loop_stride, o, k, number(n.loop[axis]));
    }
  };
  for (std::size_t l = 0; l < static_cast<std::size_t>(f.leaf_count); ++l)
    if (has_parameters(f, own, int(l))) pass_operand(int(l), own.leaves[l], plan.leaves[l]);
  for (std::size_t r = 0; r < static_cast<std::size_t>(f.result_count); ++r)
    if (const int o = f.leaf_count + int(r); has_parameters(f, own, o)) pass_operand(o, own.results[r], plan.results[r]);
  for (int k = 0; k < f.scalar_count; ++k)
    if (own.same_scalar[static_cast<std::size_t>(k)] == k) pass(scalar, k, 0, std::uint64_t{0});
  const bool is_product = own.schedule == array_schedule::product;
  const bool has_loop = own.schedule == array_schedule::columns || own.schedule == array_schedule::transposed || is_product;
  const bool is_vector = own.schedule != array_schedule::rows && !is_product;
  pass(lanes, 0, 0, number(is_vector ? plan.lanes / own.width : plan.lanes));
  if (own.has_tail) pass(rest, 0, 0, number(plan.lanes % own.width));
  if (own.row_axes > 0) pass(rows, 0, 0, number(plan.rows));
  for (int k = 1; k < own.row_axes; ++k) pass(row_extent, 0, k, number(plan.row_extents[static_cast<std::size_t>(k)]));
  for (int k = 1; k < own.lane_axes; ++k) pass(lane_extent, 0, k, number(plan.lane_extents[static_cast<std::size_t>(k)]));
  if (has_loop) pass(loop, 0, 0, number(plan.loop));
  for (int k = 1; k < own.loop_axes; ++k) pass(loop_extent, 0, k, number(plan.loop_extents[static_cast<std::size_t>(k)]));
  if (own.final == final_pass::own) {
    pass(final_lanes, 0, 0, number(plan.final_lanes));
    for (int k = 1; k < own.final_axes; ++k) pass(final_extent, 0, k, number(plan.final_extents[static_cast<std::size_t>(k)]));
  }
  if (is_product) {
    pass(depth, 0, 0, plan.count);
    if (own.left != product_layout::computed) pass(left_pitch, 0, 0, number(plan.left_pitch));
    if (own.right != product_layout::computed) pass(right_pitch, 0, 0, number(plan.right_pitch));
  }
  if (f.uses_count) pass(count, 0, 0, plan.count);
  if (own.is_split) {
    pass(parts, 0, 0, plan.parts);
    pass(tickets, 0, 0, plan.tickets);
  }
}

}  // namespace tg::detail
