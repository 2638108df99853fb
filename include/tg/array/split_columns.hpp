// Long columns that several blocks reduce: each has rows at equal distances, and the last block of some columns to come puts
// the parts together.
#pragma once

#include <array>

#include <tg/array/columns.hpp>
#include <tg/array/recorder.hpp>
#include <tg/array/reductions.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

namespace tg::detail {

/// The variables of a thread's columns become results, in the first warp's lanes that have columns; there `then` is recorded.
template <class Block, int Width, class Then>
void array_recorder::reduce_columns(const Block& block, const ptx::operand& is_there, group_states& states, Then then) {
  read_variables(0, Width, states);
  const auto put_together = exchange_in_columns<Block, Width>(block, 0, states);
  const value<bool> is_first_warp = value<unsigned>{block.thread.y.get().operand} == 0u;
  const auto finish = [&] {
    put_together();
    then();
  };
  if_(value<bool>{is_there} & is_first_warp, finish, where_);
}

/// Parts and tickets are in memory: slot s of part p at (s * parts + p) * columns of the grid + the column.
template <class Block, int Width>
void array_recorder::split_columns_as(const Block& block, const line_access& at, const ptx::operand& is_there) {
  using parts_view = view<std::uint64_t, mode::read_write, 1>;
  using tickets_view = view<unsigned, mode::read_write, 1>;
  constexpr unsigned beside = Block::shape::y, columns_of_block = 32 * Width;
  const parts_view parts(operand_count(), parts_, {});
  const tickets_view tickets(operand_count() + 1, tickets_, {});
  const auto warp = block.thread.y;
  element_group fixed;
  load([&](int l) { return class_of(l).loop_axes == 0; }, at, 0, &is_there, nullptr, fixed);

  group_states states;
  start_variables(0, Width, states);
  const auto add_rows = [&] {
    for_(
        range(block.index.y * beside + warp, uniform_of<unsigned>(loop_), block.grid.y * beside),
        [&](auto row) {
          operands digits;
          split(row.operand, false, c_.loop_axes, loop_extents_, digits);
          element_group group = fixed;
          load([&](int l) { return is_read_in_reductions(l) && class_of(l).loop_axes != 0; }, at, 0, nullptr, &digits, group);
          position_ = row.operand;
          add_to_variables(0, Width, group, [&](int w) { set_numbers(at, 0, w, nullptr, &digits); }, states);
        },
        where_);
  };
  if_(value<bool>{is_there}, add_rows, where_);

  // Calls `f(k, i, w, place, code)` for each part of a result, where `place` is that of part `part`.
  const auto for_each_slot = [&](const auto& part, auto f) {
    unsigned slot = 0;
    for (int k = 0; k < f_.reduction_count; ++k)
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states) && is_own(k, 0); ++i, ++slot) {
        const auto line = (block.grid.y * slot + part) * (block.grid.x * columns_of_block);
        const auto first = line + block.index.x * columns_of_block + block.thread.x * constant<Width>{};
        for (unsigned w = 0; w < Width; ++w) f(k, i, static_cast<int>(w), first + w, reduction(k).state[i]);
      }
  };
  reduce_columns<Block, Width>(block, is_there, states, [&] {
    for_each_slot(block.index.y, [&](int k, std::size_t i, int w, const auto& place, element_code code) {
      const ptx::operand bits = to_bits(code, result(k, i, w));
      const value<std::uint64_t> wide =
          bytes_of(code) == 8 ? value<std::uint64_t>{bits} : tg::cast<std::uint64_t>(value<unsigned>{bits});
      parts(place, {}, where_) = wide;
    });
  });
  block.sync(where_);
  var<bool> is_last(false, where_);
  const auto take_ticket = [&] {
    const auto last = block.grid.y - 1u;
    is_last = atomic_increment<order::acq_rel>(tickets(block.index.x, {}, where_), last, where_) == last;
  };
  if_(block.thread_index() == 0u, take_ticket, where_);
  const auto put_parts_together = [&] {
    group_states sums;
    start_variables(0, Width, sums);
    const auto add_part = [&](auto part) {
      std::array<std::array<state, Width>, most_reductions> read;
      for_each_slot(part, [&](int k, std::size_t i, int w, const auto& place, element_code code) {
        const value<std::uint64_t> wide = parts(place, {}, where_).get();
        read[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)][i] =
            from_bits(code, bytes_of(code) == 8 ? wide.operand : tg::cast<unsigned>(wide).operand);
      });
      for (int k = 0; k < f_.reduction_count; ++k)
        for (std::size_t w = 0; w < Width && is_own(k, 0); ++w) {
          const state& variable = sums[static_cast<std::size_t>(k)][w];
          state both;
          for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
            both[i] = read_variable(reduction(k).state[i], variable[i]);
          merge(k, both, read[static_cast<std::size_t>(k)][w]);
          for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
            set_variable(reduction(k).state[i], variable[i], both[i]);
        }
    };
    const auto add_parts = [&] { for_(range(warp, block.grid.y, constant<beside>{}), add_part, where_); };
    if_(value<bool>{is_there}, add_parts, where_);
    reduce_columns<Block, Width>(block, is_there, sums, [&] { evaluate(false, at, 0, nullptr, nullptr, fixed); });
  };
  if_(block_any(block, is_last, where_), put_parts_together, where_);
}

}  // namespace tg::detail
