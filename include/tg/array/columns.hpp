// The kernel of an expression whose reductions go down columns: each lane has columns of its own, and the warps of a block
// share the rows.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <tg/array/online_sums.hpp>
#include <tg/array/recorder.hpp>
#include <tg/array/scans.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/shared.hpp>

namespace tg::detail {

/// Calls `body(digits, number)` for the rows of a column that this warp has.
template <class Block>
void array_recorder::for_columns(const Block& block, const ptx::operand& elements, int axes, const operands& extents,
                                 const column_body& body) {
  constexpr unsigned beside = Block::shape::y;
  const value<unsigned> first{block.thread.y.get().operand};
  for_(
      range(first, value<unsigned>{elements}, constant<beside>{}),
      [&](auto k) {
        operands digits;
        split(k.operand, false, axes, extents, digits);
        body(digits, k.operand);
      },
      where_);
}

/// Leaves what each warp holds of reductions in shared memory. Returns: what puts all warps' parts together, behind a barrier,
/// in the threads that call it.
template <class Block, int Width>
array_recorder::put_together array_recorder::exchange_in_columns_as(const Block& block, int level, group_states& states) {
  constexpr int beside = Block::shape::y;
  using reader_of_parts = std::function<ptx::operand(int y, int w)>;
  std::vector<reader_of_parts> parts;
  if constexpr (beside > 1) {
    const auto through = [&](auto number, int k, std::size_t i) -> reader_of_parts {
      using T = typename decltype(number)::type;
      using tile = decltype(shared<T>(shape<beside * Width, 32>, {}, where_));
      const std::shared_ptr<const tile> kept(new tile(shared<T>(shape<beside * Width, 32>, {}, where_)));
      const auto row = block.thread.y * constant<Width>{};
      for (unsigned w = 0; w < Width; ++w) {
        const ptx::operand own = states[static_cast<std::size_t>(k)][w][i];
        (*kept)(row + w, block.thread.x, {}, where_) = value<T>{to_bits(reduction(k).state[i], own)};
      }
      return [kept, &block, where = where_](int y, int w) {
        return (*kept)(static_cast<unsigned>(y * Width + w), block.thread.x, {}, where).get().operand;
      };
    };
    for (int k = 0; k < f_.reduction_count; ++k)
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states) && is_own(k, level); ++i) {
        if (bytes_of(reduction(k).state[i]) == 8) parts.push_back(through(std::type_identity<std::uint64_t>{}, k, i));
        else parts.push_back(through(std::type_identity<unsigned>{}, k, i));
      }
    block.sync(where_);
  }
  return [this, level, &states, parts = std::move(parts)] {
    std::size_t next = 0;
    for (int k = 0; k < f_.reduction_count; ++k) {
      if (!is_own(k, level)) continue;
      const auto count = static_cast<std::size_t>(reduction(k).states);
      for (int w = 0; w < Width; ++w) {
        state& own = states[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)];
        for (int y = 0; y < beside && !parts.empty(); ++y) {
          state other;
          for (std::size_t i = 0; i < count; ++i) other[i] = from_bits(reduction(k).state[i], parts[next + i](y, w));
          if (y == 0) own = other;
          else merge(k, own, other);
        }
        keep(k, own, w);
      }
      next += count;
    }
    share_results(level, Width);
  };
}

template <class Block>
array_recorder::put_together array_recorder::exchange_in_columns(const Block& block, int level, int width,
                                                                 group_states& states) {
  put_together out;
  with_width(width, [&](auto own) {
    if constexpr (own.value <= 4) out = exchange_in_columns_as<Block, own.value>(block, level, states);
  });
  return out;
}

/// `is_there`: whether the lane has columns. All lanes come to the barriers.
template <class Block>
void array_recorder::columns_at(const Block& block, const line_access& at, const ptx::operand& is_there) {
  const int width = at.width;
  element_group fixed;
  load(&array_recorder::is_fixed_in_loop, at, 0, &is_there, nullptr, fixed);
  const bool is_end = c_.final == final_pass::none;
  const ptx::operand writes_column =
      Block::shape::y == 1 ? is_there : (value<bool>{is_there} & (value<unsigned>{block.thread.y.get().operand} == 0u)).operand;
  for (int level = 0; level < f_.level_count; ++level) {
    const bool is_online = has_online_sums(level);
    online_states states;
    if (is_online) start_online(level, width, true, states);
    else start_variables(level, width, states.variables);
    const auto add_rows = [&] {
      for_columns(block, loop_, c_.loop_axes, loop_extents_, [&](const operands& digits, const ptx::operand& number) {
        element_group group = fixed;
        load(&array_recorder::is_reduced_in_loop, at, 0, nullptr, &digits, group);
        position_ = number;
        const auto number_of = [&](int w) { set_numbers(at, 0, w, nullptr, &digits); };
        if (is_online) add_online(level, width, true, group, number_of, states);
        else add_to_variables(level, width, group, number_of, states.variables);
      });
    };
    if_(value<bool>{is_there}, add_rows, where_);
    if (is_online) {
      read_variables(level, width, states.variables);
      exchange_in_columns(block, level, width, states.variables)();
      settle_online(level++, width, true, states);
    }
    read_variables(level, width, states.variables);
    const put_together all_warps = exchange_in_columns(block, level, width, states.variables);
    if (!is_end || level + 1 != f_.level_count) {
      all_warps();
      continue;
    }
    // Nothing is left to do for other warps than the first.
    const auto finish = [&] {
      all_warps();
      evaluate(false, at, 0, nullptr, nullptr, fixed);
    };
    if_(value<bool>{writes_column}, finish, where_);
  }
  if (is_end) return;
  evaluate(false, at, 0, &writes_column, nullptr, fixed);
  fixed_array<scan_states, most_width> carried;
  start_scans(carried, width);
  const bool is_own_pass = c_.final == final_pass::own;
  const auto finish_rows = [&] {
    for_columns(block, is_own_pass ? final_lanes_ : loop_, is_own_pass ? c_.final_axes : c_.loop_axes,
                is_own_pass ? final_extents_ : loop_extents_, [&](const operands& digits, const ptx::operand&) {
                  element_group group = fixed;
                  load(&array_recorder::is_final_in_loop, at, 0, nullptr, &digits, group);
                  for (int k = 0; k < f_.reduction_count; ++k)
                    for (int w = 0; w < width && is_own_scan(k); ++w) {
                      const auto column = static_cast<std::size_t>(w);
                      const ptx::operand& own = carried[column][static_cast<std::size_t>(k)];
                      set_numbers(at, 0, w, nullptr, &digits);
                      state element;
                      reduction(k).element(reader(group, w, reduction(k).first), element.data());
                      result(k, 0, w) = merged(k, read_variable(reduction(k).state[0], own), element[0]);
                      set_variable(reduction(k).state[0], own, result(k, 0, w));
                    }
                  share_scans(width);
                  evaluate(true, at, 0, nullptr, &digits, group);
                });
  };
  if_(value<bool>{is_there}, finish_rows, where_);
}

}  // namespace tg::detail
