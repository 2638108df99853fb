// Reads the elements of arrays, evaluates the expression for each, and writes results.
#pragma once

#include <tg/array/recorder.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/flow/if_.hpp>

namespace tg::detail {

inline bool array_recorder::is_final(int r) const {
  const operand_class& own = class_of(f_.leaf_count + r);
  if (c_.schedule == array_schedule::rows) return own.lane != lane_step::none;
  if (c_.schedule == array_schedule::columns) return own.loop_axes != 0;
  return true;
}

/// Whether an array has one element for a whole row.
inline bool array_recorder::is_of_row(int l) const {
  return class_of(l).lane == lane_step::none && class_of(l).loop_axes == 0 && !is_of_product(l);
}

/// Whether the kernel overwrites an array of one element for a row, and only the threads that do so read it.
inline bool array_recorder::is_overwritten_row(int l) const {
  return is_read(l) && is_of_row(l) && class_of(l).is_written && !is_read_in_reductions(l);
}

/// Reads the arrays that have one element for a row: those that are overwritten, or the others.
inline void array_recorder::load_row_values(bool overwritten) {
  for (int l = 0; l < f_.leaf_count; ++l)
    if (is_read(l) && is_of_row(l) && is_overwritten_row(l) == overwritten)
      load_elements(leaf(l).element, place_of_one(l, own(l).row_base), 1, of_row_.of[static_cast<std::size_t>(l)].data());
}

/// Where the row of operand `o` is in this turn of a loop. In tiles, `transposed` has moved it there.
inline ptx::operand array_recorder::base_in_loop(int o, const operands* loop) {
  ptx::operand out = own(o).row_base;
  if (c_.schedule == array_schedule::transposed) return out;
  for (int k = 0; k < most_array_rank; ++k)
    if (const auto axis = static_cast<std::size_t>(k); loop != nullptr && (class_of(o).loop_axes >> k & 1) != 0)
      out = moved_by_row(out, (*loop)[axis], own(o).loop[axis]);
  return out;
}

/// Reads `at.width` elements of each array that is chosen. `valid`: where they exist; else they are zeros.
inline void array_recorder::load(leaf_test is_chosen, const line_access& at, int offset, const ptx::operand* valid,
                                 const operands* loop, element_group& out) {
  const auto read = [&](int l, ptx::operand* to) {
    const ptx::operand base = base_in_loop(l, loop);
    if (class_of(l).lane == lane_step::dense) {
      load_elements(leaf(l).element, place_of(l, base, at, offset), at.width, to);
    } else if (class_of(l).lane == lane_step::none) {
      load_elements(leaf(l).element, place_of_one(l, base), 1, to);
      for (int w = 1; w < at.width; ++w) to[w] = to[0];
    } else {
      for (int w = 0; w < at.width; ++w)
        load_elements(leaf(l).element, gathered(l, lane_address(l, base, element_number(at, offset, w), is_wide(at))), 1,
                      to + w);
    }
  };
  const auto is_wanted = [&](int l) { return is_read(l) && !is_of_row(l) && (this->*is_chosen)(l); };
  bool is_any = false;
  for (int l = 0; l < f_.leaf_count; ++l) is_any = is_any || is_wanted(l);
  if (!is_any) return;
  const auto own_of = [&](int l, int w) -> ptx::operand& {
    return out.of[static_cast<std::size_t>(l)][static_cast<std::size_t>(w)];
  };
  const auto for_each = [&](auto f) {
    for (int l = 0; l < f_.leaf_count; ++l)
      for (int w = 0; w < at.width && is_wanted(l); ++w) f(l, w);
  };
  if (valid == nullptr) {
    for (int l = 0; l < f_.leaf_count; ++l)
      if (is_wanted(l)) read(l, &own_of(l, 0));
    return;
  }
  for_each([&](int l, int w) { own_of(l, w) = new_variable(leaf(l).element, zero_element(leaf(l).element)); });
  if_(
      value<bool>{*valid},
      [&] {
        for (int l = 0; l < f_.leaf_count; ++l) {
          if (!is_wanted(l)) continue;
          fixed_array<ptx::operand, most_width> own;
          read(l, own.data());
          for (int w = 0; w < at.width; ++w) set_variable(leaf(l).element, own_of(l, w), own[static_cast<std::size_t>(w)]);
        }
      },
      where_);
  for_each([&](int l, int w) { own_of(l, w) = read_variable(leaf(l).element, own_of(l, w)); });
}

inline ptx::operand array_recorder::element_number(const line_access& at, int offset, int w) {
  const ptx::token type = is_wide(at) ? ptx::token::u64 : ptx::token::u32;
  const ptx::token reg = is_wide(at) ? ptx::token::b64 : ptx::token::b32;
  if (offset + w == 0) return at.index.operand;
  if (at.index.operand.is(ptx::operand_kind::integer)) return ptx::operand::integer(at.index.operand.value + offset + w);
  return t_.compute(reg, ptx::operation::add(type), {at.index.operand, ptx::operand::integer(offset + w)});
}

/// Writes `at.width` elements of a result.
inline void array_recorder::store(int r, const line_access& at, int offset, const operands* loop,
                                  const ptx::operand* elements) {
  const int o = f_.leaf_count + r;
  const element_code code = code_of_operand(o);
  const ptx::operand base = base_in_loop(o, loop);
  if (class_of(o).lane == lane_step::dense) {
    store_elements(code, place_of(o, base, at, offset), at.width, elements);
  } else if (class_of(o).lane == lane_step::none) {
    store_elements(code, place_of_one(o, base), 1, elements);
  } else {
    for (int w = 0; w < at.width; ++w)
      store_elements(code, gathered(o, lane_address(o, base, element_number(at, offset, w), is_wide(at))), 1, elements + w);
  }
}

inline bool array_recorder::has_addresses() const {
  for (int l = 0; l < f_.leaf_count; ++l)
    if (leaf(l).use == leaf_use::address) return true;
  return false;
}

/// Sets the addresses of the arrays that an expression chooses its indices in, for the element with this number along the
/// lanes.
inline void array_recorder::set_addresses(const ptx::operand& element, bool is_wide, const operands* loop) {
  for (int l = 0; l < f_.leaf_count; ++l) {
    if (leaf(l).use != leaf_use::address) continue;
    ptx::operand& to = element_[static_cast<std::size_t>(l)];
    to = base_in_loop(l, loop);
    if (class_of(l).lane == lane_step::dense)
      to = moved(to, element, is_wide, ptx::operand::integer(bytes_of(leaf(l).element)));
    else if (class_of(l).lane != lane_step::none) to = lane_address(l, to, element, is_wide);
  }
}

/// Sets what depends on where an element is, numbers along axes and addresses, for the element with this number along the
/// lanes. `valid`: where it exists; else what is set belongs to the row's first element, so that addresses are in the array.
inline void array_recorder::set_numbers(const line_access& at, int offset, int w, const ptx::operand* valid,
                                        const operands* loop) {
  bool needs_position = false;
  for (int k = 0; k < f_.reduction_count; ++k) needs_position = needs_position || reduction(k).states > 1;
  if (f_.number_count == 0 && !needs_position && !has_addresses()) return;
  const auto to_word = [&](const ptx::operand& x) {
    if (!is_wide(at)) return x;
    return t_.compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u64), {x});
  };
  ptx::operand element = element_number(at, offset, w);
  if (valid != nullptr && has_addresses())
    element = select_element(is_wide(at) ? element_code::u64 : element_code::u32, *valid, element, ptx::operand::integer(0));
  set_addresses(element, is_wide(at), loop);
  operands lane_digits;
  if (c_.lane_axes > 1) split(element, is_wide(at), c_.lane_axes, lane_extents_, lane_digits);
  else lane_digits[0] = element;
  for (int k = 0; k < f_.number_count; ++k) {
    const number_facts& own = f_.numbers[static_cast<std::size_t>(k)];
    const int digit = (own.is_reduced ? c_.digit : c_.final_digit)[static_cast<std::size_t>(own.axis)];
    ptx::operand& to = numbers_[static_cast<std::size_t>(k)];
    if (digit == no_digit || c_.is_zero(k)) to = ptx::operand::integer(0);
    else if (digit < lane_digit) to = row_digits_[static_cast<std::size_t>(digit)];
    else if (digit < loop_digit) to = to_word(lane_digits[static_cast<std::size_t>(digit - lane_digit)]);
    else if (loop != nullptr) to = (*loop)[static_cast<std::size_t>(digit - loop_digit)];
    else to = ptx::operand::integer(0);
  }
  if (c_.schedule == array_schedule::rows) position_ = to_word(element);
}

/// What the expression reads for element `w` of a group.
inline element_reader array_recorder::reader(const element_group& group, int w, const tree_counts& first) {
  for (int l = 0; l < f_.leaf_count; ++l) {
    if (leaf(l).use != leaf_use::element) continue;  // addresses are there
    const auto from = static_cast<std::size_t>(class_of(l).same_as);
    element_[static_cast<std::size_t>(l)] = is_of_row(l) ? of_row_.of[from][0] : group.of[from][static_cast<std::size_t>(w)];
  }
  const bool has_columns = c_.schedule == array_schedule::columns || c_.schedule == array_schedule::product || c_.is_scanned;
  const std::size_t column = has_columns ? static_cast<std::size_t>(w) : 0;
  return {element_.data() + first.leaves,
          scalars_.data() + first.scalars,
          results_[column].data() + most_states * first.reductions,
          numbers_.data() + first.numbers,
          count_,
          position_};
}

inline void array_recorder::evaluate(bool final, const line_access& at, int offset, const ptx::operand* valid,
                                     const operands* loop, const element_group& group) {
  const auto for_each_result = [&](auto f) {
    for (int r = 0; r < f_.result_count; ++r)
      if (is_final(r) == final) f(r, computed_[static_cast<std::size_t>(r)]);
  };
  bool is_any = false;
  for_each_result([&](int, auto&) { is_any = true; });
  if (!is_any) return;
  const auto compute = [&] {
    for_each_result([&](int r, auto& elements) {
      const result_facts& own = f_.results[static_cast<std::size_t>(r)];
      const int width = class_of(f_.leaf_count + r).lane == lane_step::none ? 1 : at.width;
      for (int w = 0; w < width; ++w) {
        set_numbers(at, offset, w, final ? valid : nullptr, loop);
        elements[static_cast<std::size_t>(w)] = own.value(reader(group, w, own.first));
      }
    });
  };
  const auto store_all = [&] {
    for_each_result([&](int r, auto& elements) {
      if (!f_.results[static_cast<std::size_t>(r)].is_scattered) store(r, at, offset, loop, elements.data());
    });
  };
  const auto both = [&] {
    load_row_values(true);
    compute();
    store_all();
  };
  if (valid == nullptr) return both();
  if (!final) {
    // One thread of the row computes what is written once.
    if_(value<bool>{*valid}, both, where_);
    return;
  }
  compute();  // beside the guard, so that passes share what they compute
  if_(value<bool>{*valid}, store_all, where_);
}

}  // namespace tg::detail
