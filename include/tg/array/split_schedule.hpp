// Which long rows and columns several blocks share.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/array/planner.hpp>

namespace tg::detail {

/// A row of scans is cut into parts that a block's registers hold. Only where there is nothing but scans, and results for each
/// element.
inline void array_planner::split_scans() {
  kernel_class& own = plan_.own;
  if (!may_split_ || f_.scan_count != f_.reduction_count || plan_.rows > most_split_rows) return;
  for (int r = 0; r < f_.result_count; ++r)
    if ((result(r).axes.mask() & f_.reduced) == 0) return;
  int held = 0;
  for (int l = 0; l < f_.leaf_count; ++l) {
    const operand_class& c = own.leaves[static_cast<std::size_t>(l)];
    if (leaf(l).use == leaf_use::element && c.same_as == l && c.lane != lane_step::none) ++held;
  }
  constexpr std::int64_t threads = 256, enough = 4;
  const std::int64_t chunks = std::clamp<std::int64_t>(64 / (own.width * std::max(held + f_.scan_count, 1)), 1, 4);
  const std::int64_t parts = (plan_.lanes + threads * own.width * chunks - 1) / (threads * own.width * chunks);
  if (parts < enough) return;
  own.is_split = true;
  own.chunks = static_cast<std::uint8_t>(chunks);
  own.threads = threads;
  own.beside = 1;
  plan_.grid = {parts, plan_.rows, 1};
}

/// Few long rows are shared by so many blocks that all of the device has work. Only where one pass is all there is: the last
/// block of a row to come has its result, the others are gone.
inline void array_planner::split_rows() {
  kernel_class& own = plan_.own;
  if (own.is_scanned) return split_scans();
  // Sums of powers take no pass of their own.
  bool is_one_pass = f_.level_count <= 2 && own.final == final_pass::none;
  for (int k = 0; k < f_.reduction_count; ++k) {
    const reduction_facts& reduction = f_.reductions[static_cast<std::size_t>(k)];
    is_one_pass = is_one_pass && (reduction.level == 0 || reduction.peak != nullptr);
  }
  if (!may_split_ || !is_one_pass || plan_.rows > most_split_rows) return;
  constexpr std::int64_t threads = 256, vectors = 8;  // that a thread has at least
  const std::int64_t blocks_at_once = std::int64_t{4} * std::max(plan_.context->limits().multiprocessors, 1);
  const std::int64_t parts =
      std::min({plan_.lanes / (threads * own.width * vectors), blocks_at_once / plan_.rows, most_parts / plan_.rows});
  if (parts < 2) return;
  own.is_split = true;
  own.chunks = 0;
  own.is_exact = false;
  own.threads = threads;
  own.beside = 1;
  plan_.grid = {parts, plan_.rows, 1};
}

/// Few long columns are shared by so many blocks that all of the device has work. Only where one pass is all there is.
inline void array_planner::split_columns() {
  kernel_class& own = plan_.own;
  const bool is_one_pass = f_.level_count == 1 && own.final == final_pass::none && !own.is_scanned;
  if (!may_split_ || !is_one_pass || plan_.rows != 1 || plan_.grid[0] > most_split_rows) return;
  std::int64_t slots = 0;
  for (int k = 0; k < f_.reduction_count; ++k) slots += f_.reductions[static_cast<std::size_t>(k)].states;
  constexpr std::int64_t warps = 8, rows_of_warp = 32, enough = 8;
  const std::int64_t blocks_at_once = std::int64_t{4} * std::max(plan_.context->limits().multiprocessors, 1);
  const std::int64_t words = std::int64_t{most_parts} * most_reductions * most_states;
  const std::int64_t parts = std::min(
      {plan_.loop / (warps * rows_of_warp), blocks_at_once / plan_.grid[0], words / (plan_.grid[0] * 32 * own.width * slots)});
  if (parts < enough) return;
  own.is_split = true;
  own.beside = warps;
  plan_.grid = {parts, plan_.grid[0], 1};
}

}  // namespace tg::detail
