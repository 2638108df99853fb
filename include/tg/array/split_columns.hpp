// Long columns that several blocks reduce: each has rows at equal distances, and the last block of some columns to come puts
// the parts together.
#pragma once

#include <tg/array/columns.hpp>
#include <tg/array/recorder.hpp>
#include <tg/array/reductions.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

namespace tg::detail {

/// The variables of a thread's columns become results, in the first warp's lanes that have columns; there `then` is recorded.
template <class Block>
void array_recorder::reduce_columns(const Block& block, int width, const ptx::operand& is_there, group_states& states,
                                    const std::function<void()>& then) {
  read_variables(0, width, states);
  const put_together all_warps = exchange_in_columns(block, 0, width, states);
  const value<bool> is_first_warp = value<unsigned>{block.thread.y.get().operand} == 0u;
  const auto finish = [&] {
    all_warps();
    then();
  };
  if_(value<bool>{is_there} & is_first_warp, finish, where_);
}

/// Parts and tickets are in memory: slot s of part p of the columns of block b begins at ((b * slots + s) * parts + p) *
/// columns.
template <class Block>
void array_recorder::split_columns_at(const Block& block, const line_access& at, const ptx::operand& is_there) {
  using parts_view = view<std::uint64_t, mode::read_write, 1>;
  using tickets_view = view<unsigned, mode::read_write, 1>;
  constexpr unsigned beside = Block::shape::y;
  const int width = at.width;
  const auto column_count = static_cast<unsigned>(width);
  const tickets_view tickets(operand_count() + 1, tickets_, {});
  const auto warp = block.thread.y;
  element_group fixed;
  load(&array_recorder::is_fixed_in_loop, at, 0, &is_there, nullptr, fixed);

  group_states states;
  start_variables(0, width, states);
  const auto add_rows = [&] {
    for_(
        range(block.index.x * beside + warp, uniform_of<unsigned>(loop_), block.grid.x * beside),
        [&](auto row) {
          operands digits;
          split(row.operand, false, c_.loop_axes, loop_extents_, digits);
          element_group group = fixed;
          load(&array_recorder::is_reduced_in_loop, at, 0, nullptr, &digits, group);
          position_ = row.operand;
          add_to_variables(0, width, group, [&](int w) { set_numbers(at, 0, w, nullptr, &digits); }, states);
        },
        where_);
  };
  if_(value<bool>{is_there}, add_rows, where_);

  // Calls `f(k, i, w, line)` for each part of a result: lanes have part `part` of it in their elements of the line.
  unsigned slots = 0;
  for (int k = 0; k < f_.reduction_count; ++k) slots += is_own(k, 0) ? static_cast<unsigned>(reduction(k).states) : 0;
  const auto for_each_slot = [&](const auto& part, auto f) {
    unsigned slot = 0;
    for (int k = 0; k < f_.reduction_count; ++k)
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states) && is_own(k, 0); ++i, ++slot) {
        const value<unsigned> number{((block.index.y * slots + slot) * block.grid.x + part).operand};
        const value<std::uint64_t> bytes = tg::cast<std::uint64_t>(number) * std::uint64_t{column_count * 32 * 8};
        for (unsigned w = 0; w < column_count; ++w) {
          const value<std::uint64_t> moved = bytes + std::uint64_t{w * 32 * 8};
          f(k, i, static_cast<int>(w), parts_view(operand_count(), sum_of(parts_, moved.operand), {}));
        }
      }
  };
  reduce_columns(block, width, is_there, states, [&] {
    for_each_slot(block.index.x, [&](int k, std::size_t i, int w, const parts_view& line) {
      const element_code code = reduction(k).state[i];
      const ptx::operand bits = to_bits(code, result(k, i, w));
      const value<std::uint64_t> wide =
          bytes_of(code) == 8 ? value<std::uint64_t>{bits} : tg::cast<std::uint64_t>(value<unsigned>{bits});
      line(block.thread.x, {}, where_) = wide;
    });
  });
  block.sync(where_);
  var<bool> is_last(false, where_);
  const auto take_ticket = [&] {
    const auto last = block.grid.x - 1u;
    is_last = atomic_increment<order::acq_rel>(tickets(block.index.y, {}, where_), last, where_) == last;
  };
  if_(block.thread_index() == 0u, take_ticket, where_);
  const auto put_parts_together = [&] {
    group_states sums;
    start_variables(0, width, sums);
    const auto add_part = [&](auto part) {
      fixed_array<fixed_array<state, most_width>, most_reductions> read;
      for_each_slot(part, [&](int k, std::size_t i, int w, const parts_view& line) {
        const element_code code = reduction(k).state[i];
        const value<std::uint64_t> wide = line(block.thread.x, {}, where_).get();
        read[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)][i] =
            from_bits(code, bytes_of(code) == 8 ? wide.operand : tg::cast<unsigned>(wide).operand);
      });
      for (int k = 0; k < f_.reduction_count; ++k)
        for (std::size_t w = 0; w < column_count && is_own(k, 0); ++w) {
          const state& variable = sums[static_cast<std::size_t>(k)][w];
          state both;
          for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
            both[i] = read_variable(reduction(k).state[i], variable[i]);
          merge(k, both, read[static_cast<std::size_t>(k)][w]);
          for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
            set_variable(reduction(k).state[i], variable[i], both[i]);
        }
    };
    const auto add_parts = [&] { for_(range(warp, block.grid.x, constant<beside>{}), add_part, where_); };
    if_(value<bool>{is_there}, add_parts, where_);
    reduce_columns(block, width, is_there, sums, [&] { evaluate(false, at, 0, nullptr, nullptr, fixed); });
  };
  if_(block_any(block, is_last, where_), put_parts_together, where_);
}

/// Blocks along x have parts of the rows, blocks along y have columns.
template <class Block> void array_recorder::split_columns(const Block& block) {
  with_width(c_.width, [&](auto width) {
    if constexpr (width.value <= 4) {
      const auto i = block.index.y * constant<32>{} + block.thread.x;
      const value<bool> is_there = value<unsigned>{i.operand} < value<unsigned>{lanes_};
      split_columns_at(block, access_at<width.value>(i * constant<width.value>{}), is_there.operand);
    }
  });
}

}  // namespace tg::detail
