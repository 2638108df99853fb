// Records the kernel of an expression: its parameters, where threads find their elements, and the values of the expression for
// them.
#pragma once

#include <functional>
#include <utility>

#include <tg/array/kernel.hpp>
#include <tg/array/line_access.hpp>
#include <tg/array/parameters.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/block/block.hpp>

namespace tg::detail {

inline constexpr int most_width = 8;

using uniform_form = index::single<index::uniform<1>>;

/// A number of which all threads of a block have the same.
template <class T> value<T, uniform_form> uniform_of(const ptx::operand& x) { return {x}; }

/// Registers of `width` neighbours of each array.
struct element_group { fixed_array<fixed_array<ptx::operand, most_width>, most_leaves> of{}; };

/// What is recorded of one expression. Its functions are in several files, by what they are about.
class array_recorder {
 public:
  array_recorder(tracer& t, const array_kernel& kernel);

  void record();
  /// An element of a product's operand: along its rows, or columns, and along the depth. Requires: there is one.
  ptx::operand product_element(product_operand which, const ptx::operand& along, const ptx::operand& depth);
  /// Computes the expression where the block's tile of the product is known. `sums`: as `product_site` says.
  void take_product(const product_site& site, const ptx::operand* sums);

 private:
  using operands = fixed_array<ptx::operand, most_array_rank>;
  /// Registers of a parameter list, and what the row that is worked on adds.
  struct own_operand {
    ptx::operand base, row_base;
    operands row, lane, loop;
  };
  using state = fixed_array<ptx::operand, most_states>;
  using result_registers = fixed_array<fixed_array<ptx::operand, most_reductions * most_states>, most_width>;

  // parameters and places (places.hpp)
  void declare();
  const leaf_facts& leaf(int l) const { return f_.leaves[static_cast<std::size_t>(l)]; }
  const reduction_facts& reduction(int k) const { return f_.reductions[static_cast<std::size_t>(k)]; }
  const operand_class& class_of(int o) const {
    const auto k = static_cast<std::size_t>(o);
    return o < f_.leaf_count ? c_.leaves[k] : c_.results[k - static_cast<std::size_t>(f_.leaf_count)];
  }
  element_code code_of_operand(int o) const {
    const auto k = static_cast<std::size_t>(o);
    return o < f_.leaf_count ? f_.leaves[k].element : f_.results[k - static_cast<std::size_t>(f_.leaf_count)].element;
  }
  own_operand& own(int o) { return operands_[static_cast<std::size_t>(o)]; }
  int operand_count() const { return f_.leaf_count + f_.result_count; }
  /// Whether this leaf is the one that is read for all that are the same.
  bool is_read(int l) const { return leaf(l).use == leaf_use::element && class_of(l).same_as == l; }
  bool has_addresses() const;
  bool is_read_in_reductions(int l) const;
  bool is_read_outside(int l) const;
  // which leaves `load` reads
  using leaf_test = bool (array_recorder::*)(int l) const;
  bool is_any_leaf(int) const { return true; }
  bool is_read_only_outside(int l) const { return is_read_outside(l) && !is_read_in_reductions(l); }
  bool is_fixed_in_loop(int l) const { return class_of(l).loop_axes == 0; }
  bool is_reduced_in_loop(int l) const { return is_read_in_reductions(l) && !is_fixed_in_loop(l); }
  bool is_final_in_loop(int l) const { return (is_read_outside(l) || c_.is_scanned) && !is_fixed_in_loop(l); }
  bool is_beside_product(int l) const { return !is_of_product(l); }
  bool is_across(int l) const { return class_of(l).lane == lane_step::across; }
  bool is_along(int l) const { return !is_across(l); }

  /// base + index * stride, in 64 bits.
  ptx::operand moved(const ptx::operand& base, const ptx::operand& index, bool is_wide, const ptx::operand& stride);
  ptx::operand moved_by_row(const ptx::operand& base, const ptx::operand& index, const ptx::operand& stride);
  /// The sum of two numbers of 64 bits.
  ptx::operand sum_of(const ptx::operand& a, const ptx::operand& b) {
    return t_.compute(ptx::token::b64, ptx::operation::add(ptx::token::s64), {a, b});
  }
  /// `count` times a stride, in 64 bits. `is_short`: the stride has 32.
  ptx::operand step_of(const ptx::operand& stride, int count, bool is_short) {
    const auto product = is_short ? ptx::operation::mul_wide(ptx::token::s32) : ptx::operation::mul_low(ptx::token::s64);
    return t_.compute(ptx::token::b64, product, {stride, ptx::operand::integer(count)});
  }
  /// The digits of a number, by the extents of axes.
  void split(ptx::operand number, bool is_wide, int axes, const operands& extents, operands& digits);
  void begin_row(const ptx::operand& row);
  /// Where operand `o` has the element `offset` elements behind the lane's first.
  place place_of(int o, const ptx::operand& base, const line_access& at, int offset);
  place place_of_one(int o, const ptx::operand& base);
  place gathered(int o, const ptx::operand& address) const;
  static bool is_wide(const line_access& at) { return at.index.type == ptx::token::u64; }
  ptx::operand element_number(const line_access& at, int offset, int w);
  ptx::operand lane_address(int o, const ptx::operand& base, const ptx::operand& element, bool is_wide);

  // elements (elements.hpp)
  /// Whether a result has a value for each element of the innermost loop, or one behind reductions.
  bool is_final(int r) const;
  bool is_of_row(int l) const;
  bool is_of_product(int l) const { return f_.product_count > 0 && leaf(l).is_reduced; }
  bool is_overwritten_row(int l) const;
  void load_row_values(bool overwritten);
  ptx::operand base_in_loop(int o, const operands* loop);
  void load(leaf_test is_chosen, const line_access& at, int offset, const ptx::operand* valid, const operands* loop,
            element_group& out);
  void store(int r, const line_access& at, int offset, const operands* loop, const ptx::operand* elements);
  void set_numbers(const line_access& at, int offset, int w, const ptx::operand* valid, const operands* loop);
  void set_addresses(const ptx::operand& element, bool is_wide, const operands* loop);
  element_reader reader(const element_group& group, int w, const tree_counts& first);
  /// The results that are final, or those that are not.
  void evaluate(bool final, const line_access& at, int offset, const ptx::operand* valid, const operands* loop,
                const element_group& group);

  // reductions (reductions.hpp)
  bool is_own(int k, int level) const {
    return reduction(k).level == level && c_.same_reduction[static_cast<std::size_t>(k)] == k && !is_scan(k);
  }
  bool is_scan(int k) const { return c_.is_scanned && reduction(k).is_scan; }
  bool is_own_scan(int k) const { return is_scan(k) && c_.same_reduction[static_cast<std::size_t>(k)] == k; }
  bool has_level(int level) const;
  void start(int k, state& s);
  void merge(int k, state& s, const state& other);
  /// Adds an element to a state, where `valid` holds.
  void add(int k, const element_group& group, int w, const ptx::operand* valid, bool is_first, state& s);
  void add_in_front(int k, const element_group& group, int w, const ptx::operand* valid, state& s);
  using group_states = fixed_array<fixed_array<state, most_width>, most_reductions>;
  void start_variables(int level, int width, group_states& variables);
  void add_to_variables(int level, int width, const element_group& group, const std::function<void(int)>& number,
                        const group_states& variables);
  void read_variables(int level, int width, group_states& variables);
  ptx::operand& result(int k, std::size_t i, int column = 0);
  void keep(int k, const state& s, int column = 0);
  void share_results(int level, int columns = 1);
  void exchange_in_warp(int level, int lanes);
  template <class Block> void exchange_in_block(const Block& block, int level);

  // sums in the pass of their peaks (online_sums.hpp)
  struct online_states {
    group_states variables;
    fixed_array<fixed_array<ptx::operand, most_width>, most_reductions> peaks;  // that the sums so far are for
  };
  bool has_online_sums(int level) const;
  template <class F> void for_each_of_peak(int k, F f);
  ptx::operand peak_so_far(int k, int column);
  void move_to_peak(int k, std::size_t first, std::size_t last, const ptx::operand& known_peak, const ptx::operand& peak,
                    const group_states& variables);
  void start_online(int level, int width, bool has_columns, online_states& states);
  void add_online(int level, int width, bool has_columns, const element_group& group, const std::function<void(int)>& number,
                  online_states& states);
  void settle_online(int level, int width, bool has_columns, online_states& states);
  template <class Read> ptx::operand moved_part(int k, const ptx::operand& part, const result_registers& known, Read read);

  // scans (scans.hpp)
  using scan_states = fixed_array<ptx::operand, most_reductions>;
  ptx::operand merged(int k, const ptx::operand& first, const ptx::operand& then);
  void start_scans(fixed_array<scan_states, most_width>& carried, int width);
  void share_scans(int width);
  template <class Block> std::pair<ptx::operand, ptx::operand> scan_threads(const Block& block, int k, const ptx::operand& own);
  template <class Block> void scanned_row(const Block& block);
  template <class Block>
  void scan_turn(const Block& block, const line_access& at, const ptx::operand& valid, const scan_states& carried);
  template <class Block> void split_scan(const Block& block);

  // schedules (kernel.inl, columns.hpp)
  template <class Block> void flat(const Block& block);
  template <class Block> ptx::operand row_block(const Block& block);
  template <class Block> void matrix(const Block& block);
  template <class Block> void rows(const Block& block);
  template <class Block> void exchange(const Block& block, int level);
  template <class Block> void held_row(const Block& block);
  template <class Block> void streamed_row(const Block& block);
  /// What is recorded for each access to the elements of a lane.
  using access_body = std::function<void(const line_access&)>;
  template <class Block> void for_row(const Block& block, int width, const ptx::operand& elements, const access_body& body);
  template <class Block> void evaluate_row(const Block& block);
  template <class Block> value<unsigned, uniform_form> split_row_number(const Block& block) const;
  template <class Block> void split_row(const Block& block);
  template <class Block> void put_parts_together(const Block& block);
  template <class Block, class Read> void add_parts(const Block& block, int level, Read read);
  void reduce_variables(int level, int width, group_states& variables);
  template <class Block> void final_of_rows(const Block& block);
  template <class Block> void columns(const Block& block);
  using column_body = std::function<void(const operands& digits, const ptx::operand& number)>;
  template <class Block>
  void for_columns(const Block& block, const ptx::operand& elements, int axes, const operands& extents,
                   const column_body& body);
  template <class Block> void columns_at(const Block& block, const line_access& at, const ptx::operand& is_there);
  template <class Block> void split_columns(const Block& block);
  template <class Block> void split_columns_at(const Block& block, const line_access& at, const ptx::operand& is_there);
  template <class Block>
  void reduce_columns(const Block& block, int width, const ptx::operand& is_there, group_states& states,
                      const std::function<void()>& then);
  /// What puts the parts of all warps together, in the threads that call it.
  using put_together = std::function<void()>;
  template <class Block> put_together exchange_in_columns(const Block& block, int level, int width, group_states& states);
  template <class Block, int Width> put_together exchange_in_columns_as(const Block& block, int level, group_states& states);

  // arrays that lie across the result (transposed.hpp)
  template <class Block> std::pair<value<unsigned, uniform_form>, value<unsigned>> begin_tile(const Block& block);
  /// Copies the block's part of a leaf to shared memory. Returns: what reads the thread's element of a turn.
  template <class T, class Block>
  std::function<ptx::operand(int)> keep_in_tile(const Block& block, int l, const line_access& at,
                                                const value<bool>& is_in_line);
  template <class Block> void transposed(const Block& block);

  // products (products.hpp)
  void product();
  template <class Block, product_form Form>
  void take_product_as(const Block& block, const product_site& site, const ptx::operand* sums);

  tracer& t_;
  const expression_facts& f_;
  const array_plan& plan_;
  const kernel_class& c_;
  source_location where_;
  fixed_array<own_operand, most_operands> operands_;
  fixed_array<ptx::operand, most_scalars> scalars_;
  ptx::operand lanes_, rest_, rows_, loop_, final_lanes_, count_, parts_, tickets_;
  ptx::operand depth_, left_pitch_, right_pitch_;
  operands row_extents_, lane_extents_, loop_extents_, final_extents_;
  operands row_digits_;
  element_group of_row_;  // arrays of one element for all lanes
  fixed_array<ptx::operand, most_numbers> numbers_;
  ptx::operand position_;
  fixed_array<state, most_reductions> part_of_;  // another block's
  // For each column of a lane, of a product for each element side by side; a row has one column.
  result_registers results_;
  fixed_array<ptx::operand, most_leaves> element_;
  fixed_array<fixed_array<ptx::operand, most_width>, most_results> computed_;
};

}  // namespace tg::detail
