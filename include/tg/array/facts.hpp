// What is known of an expression by its type: its arrays, numbers and reductions, in the order in which they are written, and
// along which axes of the result each array lies. All of it is plain data and functions, so that one evaluator serves all
// types.
#pragma once

#include <cstdint>

#include <tg/array/element.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::detail {

inline constexpr int most_array_rank = 8;
inline constexpr int most_axes = 16;  // of the result and of what is reduced away
inline constexpr int most_leaves = 64, most_scalars = 96, most_reductions = 32, most_numbers = 64, most_results = 8;
inline constexpr int most_operands = most_leaves + most_results;
inline constexpr int most_split_rows = 64, most_parts = 1024;  // rows that several blocks share, and these blocks

inline constexpr int no_axis = -1;

/// The axes along which the dimensions of a node lie; `no_axis` for one that an expression chooses its indices in. Axis 0 to
/// rank - 1 are those of the result; further ones are reduced away.
struct axis_list {
  int count = 0;
  fixed_array<std::int8_t, most_array_rank> axis{};

  constexpr void add(int a) { axis[static_cast<std::size_t>(count++)] = static_cast<std::int8_t>(a); }
  constexpr int operator[](int k) const { return axis[static_cast<std::size_t>(k)]; }
  /// The last axes, along which an operand of fewer dimensions lies.
  constexpr axis_list last(int n) const {
    axis_list out;
    for (int k = count - n; k < count; ++k) out.add((*this)[k]);
    return out;
  }
  constexpr std::uint32_t mask() const {
    std::uint32_t out = 0;
    for (int k = 0; k < count; ++k)
      if ((*this)[k] != no_axis) out |= 1u << (*this)[k];
    return out;
  }
};

/// How many arrays, numbers and reductions an expression has, or stand before a part of it.
struct tree_counts {
  int leaves = 0, scalars = 0, reductions = 0, numbers = 0;

  friend constexpr tree_counts operator+(const tree_counts& a, const tree_counts& b) {
    return {a.leaves + b.leaves, a.scalars + b.scalars, a.reductions + b.reductions, a.numbers + b.numbers};
  }
};

/// What a kernel holds while an expression is evaluated for one element: the registers of what stands in the expression, in
/// its order. Each node takes its own and moves on.
struct element_reader {
  const ptx::operand* leaves;
  const ptx::operand* scalars;
  const ptx::operand* reductions;  // `most_states` for each
  const ptx::operand* numbers;     // along axes
  ptx::operand count;              // of elements that are reduced, u64
  ptx::operand position;           // of the element among those that are reduced, u32
};

inline constexpr int most_states = 2;

/// What an expression takes of an array: its element, the address at which the element would be (which the expression moves
/// along one dimension that lies along no axis), or its shape alone.
enum class leaf_use : std::uint8_t { element, address, shape };

/// An array in an expression.
struct leaf_facts {
  element_code element;
  axis_list axes;
  bool is_reduced;  // it is an operand of a reduction
  leaf_use use = leaf_use::element;
};

/// A reduction in an expression.
struct reduction_facts {
  const void* kind;    // one for each type of reduction with its operand
  tree_counts first;   // what stands before its operand
  tree_counts counts;  // what its operand holds
  int level;           // how deep reductions are nested in its operand
  int states;          // registers of a partial result
  fixed_array<element_code, most_states> state;
  bool is_total;  // it has a value for no elements
  const char* name;
  /// The state that changes no other.
  void (*start)(element_reader, ptx::operand* state);
  /// The state of one element.
  void (*element)(element_reader, ptx::operand* state);
  /// The state of the elements of both.
  void (*merge)(ptx::operand* state, const ptx::operand* other);
  /// The state of an element and of elements that are all behind it. Null: `element` and `merge` are as short.
  void (*prepend)(element_reader, ptx::operand* state) = nullptr;
  /// The state of elements that are all so many places further. Not null where `prepend` is not.
  void (*shift)(ptx::operand* state, const ptx::operand& places) = nullptr;
  /// Each element has a result of its own, of those up to it.
  bool is_scan = false;
  /// The p of a sum of exp(x - p). Not null: p is made of the largest x alone.
  ptx::operand (*peak)(element_reader) = nullptr;
  tree_counts before_peak{};  // what the operand holds in front of p
};

/// How an operand of a product lies: neighbours in memory are neighbours along the depth, or across it, and rows begin at
/// multiples of 16 bytes; or it is computed element by element.
enum class product_layout : std::uint8_t { along, across, computed };

/// What a block computes: a tile of one product, or tiles of two products with the same left operand.
enum class product_form : std::uint8_t { single, pair };

/// An operand of a product, or of a pair of products.
enum class product_operand : std::uint8_t { left, right, other_right };

struct product_site;

/// A product of matrices in an expression: a reduction along an axis of its own, by tiles of the result. Its left operand has
/// elements along rows and depth, its right one along columns and depth.
struct product_facts {
  tree_counts left;            // what the left operand holds; it stands in front of the right one
  int row, column, depth;      // axes
  bool is_left_array = false;  // and no expression
  bool is_right_array = false;
  bool has_groups = false;  // whether warpgroups multiply these elements, where the GPU has wgmma
  bool has_across = true;   // whether tiles of these elements are multiplied that lie across the depth
  std::uint16_t threads = 0;
  /// Records the kernel of a tile.
  void (*record)(const product_site&) = nullptr;
  /// An element of an operand.
  ptx::operand (*left_element)(element_reader) = nullptr;
  ptx::operand (*right_element)(element_reader) = nullptr;
};

/// Numbers along an axis: those of a dimension of a leaf, zeros where it has one element there and the axis has more.
struct number_facts {
  int axis;
  bool is_reduced;  // it is an operand of a reduction
  int leaf, dimension;
};

/// An expression and what it is assigned to.
struct result_facts {
  element_code element;
  axis_list axes;
  tree_counts first;  // what stands before its expression
  /// Its value for one element.
  ptx::operand (*value)(element_reader);
  /// The expression writes by itself, to the first of its arrays; the result is the shape that it is computed for.
  bool is_scattered = false;
};

/// One assignment: one kernel.
struct expression_facts {
  int rank = 0;  // of the largest result
  int leaf_count = 0, scalar_count = 0, reduction_count = 0, number_count = 0, result_count = 0;
  std::uint32_t reduced = 0;  // axes that are reduced, the same for each reduction
  int product_count = 0;      // of the reductions
  int scan_count = 0;
  bool has_nested_scan = false;
  bool is_one_kernel = true;  // else reductions go along different axes
  bool fits = true;           // else there is too much of something
  bool uses_count = false;
  int level_count = 0;
  fixed_array<leaf_facts, most_leaves> leaves{};
  fixed_array<element_code, most_scalars> scalars{};
  fixed_array<reduction_facts, most_reductions> reductions{};
  fixed_array<number_facts, most_numbers> numbers{};
  product_facts product{};  // all are alike
  fixed_array<result_facts, most_results> results{};

  constexpr tree_counts counts() const { return {leaf_count, scalar_count, reduction_count, number_count}; }
};

}  // namespace tg::detail
