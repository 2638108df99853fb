// The kernel of an expression of elements in which some arrays lie across the result: their neighbours in memory are no
// neighbours in the result. Such an array goes through a tile in shared memory, which is written along the array's lines and
// read along the result's, so that all accesses move whole sectors.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <tg/array/elements.hpp>
#include <tg/array/places.hpp>
#include <tg/array/recorder.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/uniform.hpp>

namespace tg::detail {

/// Begins the row of the block's tile. Returns: where the tile begins along the axis of the loop, and where that axis ends,
/// which is 0 for blocks behind the last row.
template <class Block>
std::pair<value<unsigned, uniform_form>, value<unsigned>> array_recorder::begin_tile(const Block& block) {
  const value<unsigned> number{row_block(block)}, end{loop_};
  if (c_.row_axes == 0) {
    begin_row({});
    return {uniform_of<unsigned>((number * transposed_side).operand), end};
  }
  const value<unsigned> tiles = (end + (transposed_side - 1)) / transposed_side;
  const value<unsigned> row = number / tiles, rows{rows_};
  const auto top = uniform_of<unsigned>((number % tiles * transposed_side).operand);
  begin_row(c_.has_planes ? tg::min(row, rows - 1u).operand : row.operand);
  return {top, c_.has_planes ? tg::select(row < rows, end, 0u) : end};
}

/// What reads an element of a tile for one of the thread's turns.
template <class T, class Block>
std::function<ptx::operand(int)> array_recorder::keep_in_tile(const Block& block, int l, const line_access& at,
                                                              const value<bool>& is_in_line) {
  constexpr int side = transposed_side, beside = Block::shape::y, turns = side / beside;
  const auto tile = std::make_shared<const decltype(shared<T>(shape<side, side>, swizzle<5>, where_))>(
      shared<T>(shape<side, side>, swizzle<5>, where_));
  // All loads before the first store, so that they are under way together.
  const element_code code = leaf(l).element;
  fixed_array<ptx::operand, turns> elements;
  const auto first = block.index.x * constant<side>{} + block.thread.y;
  ptx::operand base = moved(own(l).row_base, first.operand, false, own(l).lane[0]);
  const ptx::operand step = step_of(own(l).lane[0], beside, false);
  for (int turn = 0; turn < turns; ++turn) {
    ptx::operand& own_element = elements[static_cast<std::size_t>(turn)];
    own_element = new_variable(code, zero_element(code));
    const value<unsigned> along = first + tg::uniform(turn * beside);
    if (turn > 0) base = sum_of(base, step);
    const auto read = [&] {
      ptx::operand element;
      load_elements(code, place_of(l, base, at, 0), 1, &element);
      set_variable(code, own_element, element);
    };
    if_(is_in_line && along < value<unsigned>{lanes_}, read, where_);
    own_element = read_variable(code, own_element);
  }
  unroll<turns>([&](auto k) {
    const auto line = block.thread.y + k * constant<beside>{};
    (*tile)(line, block.thread.x, {}, where_) = value<T>{is_float<T> ? elements[k.value] : to_bits(code, elements[k.value])};
  });
  return [tile, &block, code, where = where_](int turn) {
    ptx::operand out;
    unroll<turns>([&](auto k) {
      if (k.value != turn) return;
      const auto column = block.thread.y + k * constant<beside>{};
      const ptx::operand own_element = (*tile)(block.thread.x, column, {}, where).get().operand;
      out = is_float<T> ? own_element : from_bits(code, own_element);
    });
    return out;
  };
}

/// A block has 32 x 32 elements: 32 along the lanes, and 32 along the axis of the loop, of which a thread has four.
template <class Block> void array_recorder::transposed(const Block& block) {
  constexpr int side = transposed_side, beside = Block::shape::y, turns = side / beside;
  const auto [top, end] = begin_tile(block);

  const auto in_line = top + block.thread.x;
  const value<bool> is_in_line = value<unsigned>{in_line.operand} < end;
  fixed_array<std::function<ptx::operand(int)>, most_leaves> tiles;
  for (int l = 0; l < f_.leaf_count; ++l) {
    if (!is_read(l) || !is_across(l)) continue;
    std::function<ptx::operand(int)>& own = tiles[static_cast<std::size_t>(l)];
    if (bytes_of(leaf(l).element) == 8) own = keep_in_tile<std::uint64_t>(block, l, access_at<1>(in_line), is_in_line);
    else if (leaf(l).element == element_code::f32) own = keep_in_tile<float>(block, l, access_at<1>(in_line), is_in_line);
    else own = keep_in_tile<unsigned>(block, l, access_at<1>(in_line), is_in_line);
  }

  // The other arrays are read before the barrier, while the loads above are under way.
  const auto along = block.index.x * constant<side>{} + block.thread.x;
  const line_access at = access_at<1>(along);
  struct turn_of_thread {
    operands digits;
    fixed_array<ptx::operand, most_operands> bases;
    ptx::operand is_there;
    element_group group;
  };
  const auto moves = [&](int o) {
    const bool is_used = o < f_.leaf_count ? is_read(o) || leaf(o).use == leaf_use::address
                                           : !f_.results[static_cast<std::size_t>(o - f_.leaf_count)].is_scattered;
    return is_used && class_of(o).loop_axes != 0;
  };
  const auto for_each_moved = [&](auto f) {
    for (int o = 0; o < operand_count(); ++o)
      if (moves(o)) f(own(o), static_cast<std::size_t>(o));
  };
  const value<unsigned> line{(top + block.thread.y).operand};
  for_each_moved([&](own_operand& o, std::size_t) { o.row_base = moved_by_row(o.row_base, line.operand, o.loop[0]); });
  fixed_array<turn_of_thread, turns> all;
  for (int turn = 0; turn < turns; ++turn) {
    turn_of_thread& own = all[static_cast<std::size_t>(turn)];
    const value<unsigned> number = line + static_cast<unsigned>(turn * beside);
    own.digits[0] = number.operand;
    for_each_moved([&](own_operand& o, std::size_t k) {
      if (turn > 0) o.row_base = sum_of(o.row_base, step_of(o.loop[0], beside, c_.has_short_strides));
      own.bases[k] = o.row_base;
    });
    own.is_there = (value<unsigned>{along.operand} < value<unsigned>{lanes_} && number < end).operand;
    load(&array_recorder::is_along, at, 0, &own.is_there, &own.digits, own.group);
  }
  block.sync(where_);
  for (int turn = 0; turn < turns; ++turn) {
    turn_of_thread& own = all[static_cast<std::size_t>(turn)];
    for_each_moved([&](own_operand& o, std::size_t k) { o.row_base = own.bases[k]; });
    for (std::size_t l = 0; l < tiles.size(); ++l)
      if (tiles[l]) own.group.of[l][0] = tiles[l](turn);
    const auto compute = [&] { evaluate(true, at, 0, nullptr, &own.digits, own.group); };
    if_(value<bool>{own.is_there}, compute, where_);
  }
}

}  // namespace tg::detail
