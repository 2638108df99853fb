// Makes plans: checks an assignment, joins axes, and chooses who computes what.
#pragma once

#include <string>
#include <string_view>

#include <tg/array/nest.hpp>
#include <tg/array/plan.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::detail {

/// The checks and choices for one assignment.
class array_planner {
 public:
  array_planner(const expression_facts& facts, const result_list& results, const operand_list& operands, source_location where,
                bool may_split)
      : f_(facts), results_(results), operands_(operands), where_(where), may_split_(may_split) {}

  array_plan make() {
    require_one_device();
    find_extents();
    if (plan_.is_empty) return plan_;
    find_strides();
    require_whole_results();
    require_no_overlap();
    find_equals();
    make_nests();
    choose();
    find_equal_strides();
    return plan_;
  }

  /// The extents of the result of an expression that is assigned nowhere yet.
  void extents_of_result(std::int64_t* extents) {
    for (int a = 0; a < f_.rank; ++a) extents[a] = 1;
    for (int l = 0; l < f_.leaf_count; ++l)
      for (int d = 0; d < leaf(l).axes.count; ++d) {
        const int a = leaf(l).axes[d];
        if (a == no_axis || a >= f_.rank || (leaf(l).is_reduced && is_reduced(a) && !is_scanned(l))) continue;
        join_extent(extents[a], l, d);
      }
  }

 private:
  const leaf_facts& leaf(int l) const { return f_.leaves[static_cast<std::size_t>(l)]; }
  const array_place& place_of_leaf(int l) const { return operands_.leaves[static_cast<std::size_t>(l)]; }
  const array_place& place_of_result(int r) const { return results_.places[static_cast<std::size_t>(r)]; }
  const result_facts& result(int r) const { return f_.results[static_cast<std::size_t>(r)]; }
  bool is_reduced(int axis) const { return (f_.reduced >> axis & 1) != 0; }
  int operand_count() const { return f_.leaf_count + f_.result_count; }
  int operand_of_result(int r) const { return f_.leaf_count + r; }
  operand_class& class_of(int o) {
    const auto k = static_cast<std::size_t>(o);
    return o < f_.leaf_count ? plan_.own.leaves[k] : plan_.own.results[k - static_cast<std::size_t>(f_.leaf_count)];
  }
  operand_numbers& numbers_of(int o) {
    const auto k = static_cast<std::size_t>(o);
    return o < f_.leaf_count ? plan_.leaves[k] : plan_.results[k - static_cast<std::size_t>(f_.leaf_count)];
  }
  int bytes_of_operand(int o) const {
    return o < f_.leaf_count ? bytes_of(leaf(o).element) : bytes_of(result(o - f_.leaf_count).element);
  }
  /// Whether a leaf is part of a product's left operand, 1, or of its right one, 2, or of none, 0.
  int side_of(int l) const {
    for (int k = 0; k < f_.product_count; ++k) {
      const reduction_facts& own = f_.reductions[static_cast<std::size_t>(k)];
      const int place = l - own.first.leaves;
      if (place >= 0 && place < own.counts.leaves) return place < f_.product.left.leaves ? 1 : 2;
    }
    return 0;
  }
  /// Whether a leaf is part of a scan's operand.
  bool is_scanned(int l) const {
    for (int k = 0; k < f_.reduction_count; ++k) {
      const reduction_facts& own = f_.reductions[static_cast<std::size_t>(k)];
      if (own.is_scan && l >= own.first.leaves && l < own.first.leaves + own.counts.leaves) return true;
    }
    return false;
  }
  /// Whether it is read in reductions.
  bool is_inner(int o) const { return o < f_.leaf_count && leaf(o).is_reduced; }

  std::string text_of(const array_place& p) const { return shape_text(p.extents, p.rank); }
  [[noreturn]] void refuse(code c, const std::string& fact, std::string_view fix) const { throw error(c, fact, fix, where_); }
  [[noreturn]] void refuse_shapes(const array_place& a, const char* how, const array_place& b) const {
    for (const array_place* p : {&a, &b}) require_allocated(p->context != nullptr, where_);
    refuse(shapes_differ, "an array of shape " + text_of(a) + how + text_of(b),
           "extents are equal, from the last one on, or 1");
  }

  void require_one_device();
  void find_extents();
  void find_reduced_extents();
  void require_equal_reductions();
  void require_equal_depths() const;
  int reduction_of(int l) const;
  [[noreturn]] void refuse_lengths(int reduction, std::int64_t own, std::int64_t other) const;
  void join_extent(std::int64_t& extent, int l, int d);
  int result_of_leaf(int l) const;
  void find_strides();
  void require_whole_results() const;
  void require_no_overlap();
  bool is_same_place(int a, int b) const;
  void find_equals();
  void make_nests();
  axis_nest nest_of(std::uint32_t axes, bool reduced) const;
  void choose();
  void find_equal_strides();
  void choose_schedule();
  void choose_elements();
  int axis_of_lines() const;
  bool is_across(int l, int k) const;
  bool choose_transposed();
  void choose_rows();
  void split_rows();
  void split_scans();
  void split_columns();
  void choose_columns();
  void choose_product();
  void choose_pair();
  void choose_layouts(int left, int right);
  product_layout layout_of_operand(int product, int side, std::int64_t& pitch) const;
  bool is_along_depth(int side) const;
  void lie_along(int o, const axis_nest& loop, const axis_nest& lanes);
  void set_lanes(const axis_nest& lanes, bool inner, bool others);
  void set_digits(const axis_nest& nest, int count, int first, bool inner, bool others);
  void set_rows(const axis_nest& rows, int count);
  void set_loop(const axis_nest& loop, bool inner, bool others);
  int widest(std::int64_t lanes, bool inner, bool others, bool has_tail);
  bool fits(int width, int o);
  void set_planes(std::int64_t row_blocks);

  const expression_facts& f_;
  const result_list& results_;
  const operand_list& operands_;
  source_location where_;
  bool may_split_;
  array_plan plan_;
  fixed_array<std::int64_t, most_axes> extents_{};          // of the first result
  fixed_array<std::int64_t, most_axes> reduced_extents_{};  // of what is reduced
  fixed_array<fixed_array<std::int64_t, most_axes>, most_operands> strides_{};
  fixed_array<int, most_axes> joined_from_{};  // the leaf that an extent is from
  axis_nest outer_, inner_, final_;
};

}  // namespace tg::detail
