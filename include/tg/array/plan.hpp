// How an expression is evaluated for arrays of these shapes: which axes become rows and which lie along the lanes of a warp,
// how wide accesses are, how many elements a thread holds. What a kernel's text depends on is its class; the rest are numbers
// that each launch passes.
#pragma once

#include <cstdint>
#include <vector>

#include <tg/array/expression.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::detail {

/// How threads share the elements.
enum class array_schedule : std::uint8_t {
  flat,        // elements in one line, a vector for each thread; of short rows each thread computes its row and column
  matrix,      // rows: threads along them, blocks over them
  transposed,  // as matrix, by tiles: some arrays lie across the result
  rows,        // reductions along rows: a warp or a block for each
  columns,     // reductions across lanes' neighbours: each lane has columns of its own, the warps of a block share their rows
  product,     // products of matrices: a block for each tile of the result
};

/// How the elements of an operand that neighbouring lanes read lie.
enum class lane_step : std::uint8_t {
  none,      // one element for all
  dense,     // beside each other
  strided,   // apart by a number of bytes
  computed,  // along several axes
  across,    // apart, but beside each other along the axis of the loop
};

/// What reductions leave to do for each element along the reduced axes.
enum class final_pass : std::uint8_t { none, shared, own };  // nothing; for the elements reduced; for others

inline constexpr std::uint8_t no_leaf = 0xff;

/// Elements of a tile of arrays that lie across the result, in both directions.
inline constexpr unsigned transposed_side = 32;
/// The shared memory that the tiles of a block take at most. Arrays beyond that are read as they lie.
inline constexpr std::int64_t most_tile_bytes = 32 << 10;

/// What the kernel's text depends on, of an array or a result.
struct operand_class {
  lane_step lane = lane_step::none;
  std::uint8_t same_as = 0;     // the first leaf that is the same array; of a result, no_leaf where none is
  std::uint8_t strides_of = 0;  // the first operand with the same strides
  bool is_written = false;      // by this kernel
  std::uint8_t row_axes = 0;    // bits: along which rows it goes on
  std::uint8_t loop_axes = 0;   // along which axes of the loop
  std::uint8_t lane_axes = 0;

  friend bool operator==(const operand_class&, const operand_class&) = default;
};

/// What the kernel's text depends on.
struct kernel_class {
  array_schedule schedule = array_schedule::flat;
  final_pass final = final_pass::none;
  std::uint8_t width = 1;          // elements of one access
  std::uint16_t threads = 256;     // along the lanes
  std::uint16_t beside = 1;        // rows of threads in a block
  std::uint8_t chunks = 0;         // accesses that hold a row in registers; 0: it is read again in each pass
  bool is_exact = false;           // chunks hold no more than the row
  bool is_split = false;           // several blocks share a row, the last to come puts their parts together
  bool is_scanned = false;         // each element has results of its own, of those up to it
  bool has_tail = false;           // elements behind the last vector
  bool is_wide = false;            // numbers along the lanes take 64 bits
  bool has_planes = false;         // rows of blocks along y and z
  bool has_short_strides = false;  // of rows and loops, below 2^31 bytes
  std::uint8_t row_axes = 0, lane_axes = 0, loop_axes = 0, final_axes = 0;
  product_layout left = product_layout::along, right = product_layout::along;  // of a tile's operands
  product_form form = product_form::single;
  std::uint8_t other_product = 0;                    // of a pair: the other one among the reductions
  bool is_left_along = true, is_right_along = true;  // of operands that are computed: neighbours lie along the depth
  bool by_groups = false;                            // products by warpgroups, for sm_90
  std::uint8_t band = 1;                             // rows of tiles that take turns
  bool is_swapped = false;                           // tiles are those of the transposed result
  fixed_array<operand_class, most_leaves> leaves{};
  fixed_array<operand_class, most_results> results{};
  std::uint64_t zero_numbers = 0;  // bits: numbers along an axis that are zeros
  fixed_array<std::uint8_t, most_scalars> same_scalar{};
  fixed_array<std::uint8_t, most_reductions> same_reduction{};
  fixed_array<std::int8_t, most_axes> digit{};        // where the number along an axis comes from, in reductions
  fixed_array<std::int8_t, most_axes> final_digit{};  // and outside of them

  bool is_zero(int number) const { return (zero_numbers >> number & 1) != 0; }
  friend bool operator==(const kernel_class&, const kernel_class&) = default;
};

/// Where the number along an axis comes from: -1: it is 0; 0 to 7: that row axis; 8 to 15: that lane axis; 16 to 23: that axis
/// of the loop.
inline constexpr int no_digit = -1, lane_digit = 8, loop_digit = 16;

/// Strides in bytes of an operand, and where it begins.
struct operand_numbers {
  driver::device_address address = 0;
  fixed_array<std::int64_t, most_array_rank> row{}, lane{}, loop{};
};

/// Everything that a launch of it takes.
struct array_plan {
  kernel_class own;
  runtime::context* context = nullptr;
  bool is_empty = false;  // there is nothing to write
  std::int64_t rows = 1, lanes = 1, loop = 1, final_lanes = 1;
  std::uint64_t count = 1;                       // of elements that are reduced
  std::int64_t left_pitch = 0, right_pitch = 0;  // bytes from one row of a product's operand to the next
  fixed_array<std::int64_t, most_array_rank> row_extents{}, lane_extents{}, loop_extents{}, final_extents{};
  fixed_array<operand_numbers, most_leaves> leaves;
  fixed_array<operand_numbers, most_results> results;
  fixed_array<std::int64_t, 3> grid{1, 1, 1};
  driver::device_address parts = 0, tickets = 0;  // of split rows
};

/// `may_split`: whether blocks may share a row, which takes memory for their parts. Errors: TG700 to TG702, TG705 to TG707.
array_plan make_plan(const expression_facts& facts, const result_list& results, const operand_list& operands,
                     source_location where, bool may_split = true);

}  // namespace tg::detail
