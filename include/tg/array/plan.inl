// Checks shapes, devices and memory of an assignment, and joins its axes.
#pragma once

#include <tg/array/plan.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <tg/array/equal_operands.hpp>
#include <tg/array/overlap.hpp>
#include <tg/array/planner.hpp>
#include <tg/array/product_schedule.hpp>
#include <tg/array/schedule.hpp>
#include <tg/base/config.hpp>

namespace tg::detail {

inline void array_planner::require_one_device() {
  const auto look = [&](const array_place& p) {
    require_allocated(p.context != nullptr, where_);
    if (plan_.context == nullptr) plan_.context = p.context;
    if (plan_.context != p.context)
      refuse(devices_differ,
             "arrays of '" + plan_.context->label() + "' and " + p.context->label_beside(*plan_.context) + " in one expression",
             "copy one: tg::array(gpu, x.shape(), x.to_host())");
  };
  for (int r = 0; r < f_.result_count; ++r) look(place_of_result(r));
  for (int l = 0; l < f_.leaf_count; ++l) look(place_of_leaf(l));
}

/// The result that a leaf outside of reductions is part of.
inline int array_planner::result_of_leaf(int l) const {
  int out = 0;
  while (out + 1 < f_.result_count && result(out + 1).first.leaves <= l) ++out;
  return out;
}

/// The innermost reduction that a leaf is an operand of; the number of reductions where it is of none.
inline int array_planner::reduction_of(int l) const {
  int out = 0;
  for (; out < f_.reduction_count; ++out) {
    const reduction_facts& own = f_.reductions[static_cast<std::size_t>(out)];
    if (l >= own.first.leaves && l < own.first.leaves + own.counts.leaves) break;
  }
  return out;
}

inline void array_planner::refuse_lengths(int reduction, std::int64_t own, std::int64_t other) const {
  refuse(reduction_impossible,
         std::string("tg::") + f_.reductions[static_cast<std::size_t>(reduction)].name + " over rows of " +
             std::to_string(own) + " elements beside a reduction over rows of " + std::to_string(other),
         "name one of them with tg::eval");
}

inline void array_planner::join_extent(std::int64_t& extent, int l, int d) {
  const std::int64_t own = place_of_leaf(l).extents[d];
  const auto axis = static_cast<std::size_t>(leaf(l).axes[d]);
  if (own == 1 || own == extent) return;
  if (const int other = joined_from_[axis]; extent != 1 && reduction_of(l) != reduction_of(other))
    refuse_lengths(reduction_of(l), own, extent);
  if (extent != 1) refuse_shapes(place_of_leaf(l), " stands beside one of shape ", place_of_leaf(joined_from_[axis]));
  extent = own;
  joined_from_[axis] = l;
}

inline void array_planner::find_extents() {
  extents_.fill(1);
  const array_place& main = place_of_result(0);
  for (int a = 0; a < f_.rank; ++a) extents_[static_cast<std::size_t>(a)] = main.extents[a];
  for (int r = 1; r < f_.result_count; ++r)
    for (int d = 0; d < result(r).axes.count; ++d) {
      const int a = result(r).axes[d];
      const std::int64_t own = place_of_result(r).extents[d];
      if (own != extents_[static_cast<std::size_t>(a)] && !(own == 1 && is_reduced(a)))
        refuse_shapes(place_of_result(r), " and one of shape ", main);
    }
  for (int l = 0; l < f_.leaf_count; ++l) {
    const int r = result_of_leaf(l);
    for (int d = 0; d < leaf(l).axes.count; ++d) {
      const int a = leaf(l).axes[d];
      if (a == no_axis || (leaf(l).is_reduced && is_reduced(a))) continue;
      std::int64_t wanted = 1;
      for (int k = 0; k < result(r).axes.count; ++k)
        if (result(r).axes[k] == a) wanted = place_of_result(r).extents[k];
      const std::int64_t own = place_of_leaf(l).extents[d];
      if (own != 1 && own != wanted)
        refuse_shapes(
            place_of_leaf(l),
            leaf(l).is_reduced ? ", reduced, does not fit the result, of shape " : " does not fit the result, of shape ",
            place_of_result(r));
    }
  }
  for (int a = 0; a < f_.rank; ++a) plan_.is_empty = plan_.is_empty || extents_[static_cast<std::size_t>(a)] == 0;
  find_reduced_extents();
}

/// The two operands of a product are equally deep: neither is repeated for the other.
inline void array_planner::require_equal_depths() const {
  for (int k = 0; k < f_.product_count; ++k) {
    const reduction_facts& own = f_.reductions[static_cast<std::size_t>(k)];
    fixed_array<std::int64_t, 2> depth{1, 1};
    fixed_array<int, 2> leaf_of{own.first.leaves, own.first.leaves + f_.product.left.leaves};
    for (int l = own.first.leaves; l < own.first.leaves + own.counts.leaves; ++l)
      for (int d = 0; d < leaf(l).axes.count; ++d)
        if (const auto side = static_cast<std::size_t>(side_of(l) - 1);
            leaf(l).axes[d] == f_.product.depth && place_of_leaf(l).extents[d] != 1) {
          depth[side] = place_of_leaf(l).extents[d];
          leaf_of[side] = l;
        }
    if (depth[0] != depth[1])
      refuse(shapes_differ,
             "tg::matmul of an array of shape " + text_of(place_of_leaf(leaf_of[0])) + " and one of shape " +
                 text_of(place_of_leaf(leaf_of[1])),
             "the left matrix has as many columns as the right one has rows: " + std::to_string(depth[0]) + " and " +
                 std::to_string(depth[1]));
  }
}

inline void array_planner::find_reduced_extents() {
  require_equal_depths();
  reduced_extents_.fill(1);
  for (int l = 0; l < f_.leaf_count; ++l)
    for (int d = 0; d < leaf(l).axes.count && leaf(l).is_reduced; ++d)
      if (const int a = leaf(l).axes[d]; a != no_axis && is_reduced(a))
        join_extent(reduced_extents_[static_cast<std::size_t>(a)], l, d);
  for (int a = 0; a < most_axes; ++a)
    if (is_reduced(a)) plan_.count *= static_cast<std::uint64_t>(reduced_extents_[static_cast<std::size_t>(a)]);
  require_equal_reductions();
  for (int k = 0; k < f_.reduction_count; ++k) {
    const reduction_facts& own = f_.reductions[static_cast<std::size_t>(k)];
    if (plan_.count == 0 && !own.is_total && !plan_.is_empty)
      refuse(reduction_impossible, std::string("tg::") + own.name + " of no elements", "guard the empty case");
    if (own.states > 1 && plan_.count > INT32_MAX)
      refuse(number_too_large, std::string("tg::") + own.name + " of " + std::to_string(plan_.count) + " elements",
             "cut the array");
  }
  for (int k = 0; k < f_.number_count; ++k) {
    const number_facts& own = f_.numbers[static_cast<std::size_t>(k)];
    if (place_of_leaf(own.leaf).extents[own.dimension] == 1) {
      plan_.own.zero_numbers |= std::uint64_t{1} << k;
      continue;
    }
    const auto a = static_cast<std::size_t>(own.axis);
    if (extents_[a] > INT32_MAX || reduced_extents_[a] > INT32_MAX)
      refuse(number_too_large, "tg::index_of along " + std::to_string(std::max(extents_[a], reduced_extents_[a])) + " elements",
             "cut the array");
  }
}

/// Each reduction goes over all that is reduced: none over an array that broadcasts into another reduction's rows.
inline void array_planner::require_equal_reductions() {
  for (int k = 0; k < f_.reduction_count; ++k) {
    const reduction_facts& own = f_.reductions[static_cast<std::size_t>(k)];
    fixed_array<std::int64_t, most_axes> extent;
    extent.fill(1);
    for (int l = own.first.leaves; l < own.first.leaves + own.counts.leaves; ++l) {
      for (int d = 0; d < leaf(l).axes.count && reduction_of(l) == k; ++d)
        if (leaf(l).axes[d] != no_axis && place_of_leaf(l).extents[d] != 1)
          extent[static_cast<std::size_t>(leaf(l).axes[d])] = place_of_leaf(l).extents[d];
    }
    for (int a = 0; a < most_axes; ++a)
      if (is_reduced(a) && extent[static_cast<std::size_t>(a)] != reduced_extents_[static_cast<std::size_t>(a)])
        refuse_lengths(k, extent[static_cast<std::size_t>(a)], reduced_extents_[static_cast<std::size_t>(a)]);
  }
}

inline void array_planner::find_strides() {
  const auto set = [&](int o, const array_place& p, const axis_list& axes) {
    for (int d = 0; d < axes.count; ++d)
      if (axes[d] != no_axis && p.extents[d] != 1)
        strides_[static_cast<std::size_t>(o)][static_cast<std::size_t>(axes[d])] = p.strides[d] * bytes_of_operand(o);
    numbers_of(o).address = p.address;
  };
  for (int l = 0; l < f_.leaf_count; ++l) set(l, place_of_leaf(l), leaf(l).axes);
  for (int r = 0; r < f_.result_count; ++r) {
    const array_place& p = place_of_result(r);
    set(operand_of_result(r), p, result(r).axes);
    for (int d = 0; d < p.rank; ++d)
      if (p.extents[d] > 1 && p.strides[d] == 0 && !result(r).is_scattered)
        refuse(shape_impossible, "a result of shape " + text_of(p) + " whose elements share memory", "assign to another array");
  }
}

inline bool array_planner::is_same_place(int a, int b) const {
  const auto address = [&](int o) {
    return (o < f_.leaf_count ? place_of_leaf(o) : place_of_result(o - f_.leaf_count)).address;
  };
  return address(a) == address(b) && bytes_of_operand(a) == bytes_of_operand(b) &&
         strides_[static_cast<std::size_t>(a)] == strides_[static_cast<std::size_t>(b)];
}

/// Each result has an element for each of the first one's, but along the axes that are reduced: what several threads compute
/// and write is computed from what some of them wrote.
inline void array_planner::require_whole_results() const {
  for (int r = 1; r < f_.result_count; ++r)
    for (int a = 0; a < f_.rank; ++a) {
      const bool is_whole =
          ((result(r).axes.mask() >> a) & 1) != 0 || is_reduced(a) || extents_[static_cast<std::size_t>(a)] == 1;
      if (!is_whole) refuse_shapes(place_of_result(r), " is to be a result beside one of shape ", place_of_result(0));
    }
}

inline void array_planner::require_no_overlap() {
  const auto span_of = [](const array_place& p, int bytes) {
    std::int64_t low = 0, high = bytes;
    for (int d = 0; d < p.rank; ++d) {
      if (p.extents[d] == 0) return std::pair(p.address, p.address);
      const std::int64_t far = p.strides[d] * (p.extents[d] - 1) * bytes;
      (far < 0 ? low : high) += far;
    }
    return std::pair(p.address + static_cast<driver::device_address>(low),
                     p.address + static_cast<driver::device_address>(high));
  };
  const auto share = [&](const array_place& a, int a_bytes, const array_place& b, int b_bytes) {
    const auto [a_low, a_high] = span_of(a, a_bytes);
    const auto [b_low, b_high] = span_of(b, b_bytes);
    return a_low < b_high && b_low < a_high && share_elements(a, a_bytes, b, b_bytes);
  };
  for (int l = 1; l < f_.leaf_count && result(0).is_scattered; ++l)
    if (leaf(l).use != leaf_use::shape && share(place_of_leaf(0), bytes_of_operand(0), place_of_leaf(l), bytes_of_operand(l)))
      refuse(memory_shared,
             "elements at computed indices go to an array of shape " + text_of(place_of_leaf(0)) +
                 ", which shares memory with one of shape " + text_of(place_of_leaf(l)) + " that the expression reads",
             "name what is read: auto own = tg::eval(x)");
  for (int r = 0; r < f_.result_count; ++r) {
    const int own = operand_of_result(r);
    if (result(r).is_scattered) continue;
    for (int l = 0; l < f_.leaf_count; ++l) {
      if (leaf(l).use == leaf_use::shape ||
          !share(place_of_result(r), bytes_of_operand(own), place_of_leaf(l), bytes_of_operand(l)))
        continue;
      if (leaf(l).use == leaf_use::address || !is_same_place(own, l))
        refuse(memory_shared,
               "the result, of shape " + text_of(place_of_result(r)) + ", shares memory with an array of shape " +
                   text_of(place_of_leaf(l)) + " that the expression reads at other indices",
               "write tg::eval(expression), or assign to another array");
      plan_.own.leaves[static_cast<std::size_t>(l)].is_written = true;
    }
    for (int other = 0; other < r; ++other)
      if (share(place_of_result(r), bytes_of_operand(own), place_of_result(other), bytes_of_operand(operand_of_result(other))))
        refuse(memory_shared, "two results share memory", "assign to different arrays");
  }
}

inline axis_nest array_planner::nest_of(std::uint32_t axes, bool reduced) const {
  axis_nest out;
  for (int a = 0; a < most_axes; ++a) {
    const auto k = static_cast<std::size_t>(a);
    const std::int64_t extent = reduced ? reduced_extents_[k] : extents_[k];
    if ((axes >> a & 1) == 0 || extent == 1) continue;
    nest_axis own{extent, a, {}};
    for (std::size_t o = 0; o < static_cast<std::size_t>(operand_count()); ++o) own.stride[o] = strides_[o][k];
    out.add(own);
  }
  return out;
}

inline void array_planner::make_nests() {
  const std::uint32_t of_result = (1u << f_.rank) - 1;
  outer_ = nest_of(of_result & ~f_.reduced, false);
  inner_ = nest_of(f_.reduced, true);
  final_ = nest_of(of_result & f_.reduced, false);
  bool is_shared = final_.count == inner_.count;
  for (int k = 0; k < final_.count && is_shared; ++k)
    is_shared = final_[k].number == inner_[k].number && final_[k].extent == inner_[k].extent;
  plan_.own.final = final_.count == 0 ? final_pass::none : is_shared ? final_pass::shared : final_pass::own;
  plan_.own.is_scanned = f_.scan_count > 0 && plan_.count > 1;
  if (plan_.own.is_scanned && !is_shared)
    refuse(shape_impossible, "a scan of " + std::to_string(plan_.count) + " elements in an expression of another extent there",
           "name it with tg::eval");
  // Along axes of their own, what is read in reductions and what is read outside of them do not meet.
  if (plan_.own.final == final_pass::own)
    for (int o = 0; o < operand_count(); ++o) {
      axis_nest& other = is_inner(o) ? final_ : inner_;
      for (int k = 0; k < other.count; ++k) other[k].stride[static_cast<std::size_t>(o)] = 0;
    }
  std::uint32_t pinned = 0;
  bool has_order = false;
  for (int k = 0; k < f_.number_count; ++k) pinned |= 1u << f_.numbers[static_cast<std::size_t>(k)].axis;
  for (int k = 0; k < f_.reduction_count; ++k) {
    const reduction_facts& own = f_.reductions[static_cast<std::size_t>(k)];
    has_order = has_order || own.states > 1 || own.is_scan;
  }
  const int first = operand_of_result(0);
  outer_.sort(operand_count(), first);
  outer_.join(operand_count(), pinned);
  if (!has_order) inner_.sort(operand_count(), first);
  inner_.join(operand_count(), pinned);
  if (plan_.own.final == final_pass::shared) {
    final_ = inner_;
  } else {
    final_.sort(operand_count(), first);
    final_.join(operand_count(), pinned);
  }
}

TG_LIBRARY_FUNCTION array_plan make_plan(const expression_facts& facts, const result_list& results,
                                         const operand_list& operands, source_location where, bool may_split) {
  return array_planner(facts, results, operands, where, may_split).make();
}

TG_LIBRARY_FUNCTION void find_extents(const expression_facts& facts, const operand_list& operands, std::int64_t* extents,
                                      source_location where) {
  array_planner(facts, {}, operands, where, false).extents_of_result(extents);
}

TG_LIBRARY_FUNCTION runtime::context& device_of(const operand_list& operands, source_location where) {
  for (int l = 0; l < operands.leaf_count; ++l)
    require_allocated(operands.leaves[static_cast<std::size_t>(l)].context != nullptr, where);
  if (operands.leaf_count > 0) return *operands.leaves[0].context;
  throw error(memory_missing, "an expression without arrays says nothing of device and shape", "make the array first", where);
}

}  // namespace tg::detail
