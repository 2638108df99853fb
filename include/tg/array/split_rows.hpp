// A long row that several blocks reduce: each has a part, and the last to come puts the parts together.
#pragma once

#include <tg/array/elements.hpp>
#include <tg/array/online_sums.hpp>
#include <tg/array/recorder.hpp>
#include <tg/array/reductions.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

namespace tg::detail {

/// The number of the row that a block shares with others; 0 where there is only one, so that no block asks for it.
template <class Block> value<unsigned, uniform_form> array_recorder::split_row_number(const Block& block) const {
  return uniform_of<unsigned>(c_.row_axes > 0 ? block.index.y.operand : ptx::operand::integer(0));
}

/// One block's part of a row, of those that share it. Parts and tickets are in memory: part `slot` of block b of row r at
/// (r * slots + slot) * blocks + b.
template <class Block> void array_recorder::split_row(const Block& block) {
  begin_row(split_row_number(block).operand);
  const bool is_online = has_online_sums(0);
  online_states states;
  if (is_online) start_online(0, c_.width, false, states);
  else start_variables(0, c_.width, states.variables);
  with_width(c_.width, [&](auto own) {
    constexpr int width = own.value;
    const auto go = [&](const auto& first, const auto& last, const auto& step) {
      for_(
          range(first, last, step),
          [&](auto i) {
            const line_access at = access_at<width>(i);
            element_group group;
            load(&array_recorder::is_read_in_reductions, at, 0, nullptr, nullptr, group);
            const auto number = [&](int w) { set_numbers(at, 0, w, nullptr, nullptr); };
            if (is_online) add_online(0, width, false, group, number, states);
            else add_to_variables(0, width, group, number, states.variables);
          },
          where_);
    };
    const auto step = block.grid.x * constant<Block::shape::x * width>{};
    if (c_.is_wide)
      go(block.global_index64() * constant<width>{}, uniform_of<std::uint64_t>(lanes_), tg::cast<std::uint64_t>(step));
    else go(block.global_index() * constant<width>{}, uniform_of<unsigned>(lanes_), step);
  });
  reduce_variables(0, c_.width, states.variables);
  exchange(block, 0);
  if (is_online) {
    settle_online(0, c_.width, false, states);
    reduce_variables(1, c_.width, states.variables);
    exchange(block, 1);
  }
  put_parts_together(block);
}

/// Adds the parts of other blocks to a level's variables. `read(k, b)`: leaves part b of reduction k in `part_of_`.
template <class Block, class Read> void array_recorder::add_parts(const Block& block, int level, Read read) {
  group_states variables;
  start_variables(level, 1, variables);
  const auto known = results_;
  for_(
      range(block.thread.x, block.grid.x, constant<Block::shape::x>{}),
      [&](auto b) {
        for (int k = 0; k < f_.reduction_count; ++k) {
          if (!is_own(k, level)) continue;
          read(k, b);
          state& part = part_of_[static_cast<std::size_t>(k)];
          if (level > 0) part[0] = moved_part(k, part[0], known, [&](int n) { read(n, b); });
          const state& variable = variables[static_cast<std::size_t>(k)][0];
          state both;
          for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
            both[i] = read_variable(reduction(k).state[i], variable[i]);
          merge(k, both, part);
          for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
            set_variable(reduction(k).state[i], variable[i], both[i]);
        }
      },
      where_);
  reduce_variables(level, 1, variables);
  exchange(block, level);
}

template <class Block> void array_recorder::put_parts_together(const Block& block) {
  using parts_view = view<std::uint64_t, mode::read_write, 1>;
  using tickets_view = view<unsigned, mode::read_write, 1>;
  const parts_view parts(operand_count(), parts_, {});
  const tickets_view tickets(operand_count() + 1, tickets_, {});
  fixed_array<unsigned, most_reductions> slot{};  // of a reduction's first state
  unsigned slots = 0;
  for (int k = 0; k < f_.reduction_count; ++k)
    if (is_own(k, reduction(k).level)) {
      slot[static_cast<std::size_t>(k)] = slots;
      slots += static_cast<unsigned>(reduction(k).states);
    }
  const auto blocks = block.grid.x;
  const auto row = split_row_number(block);
  const auto first = row * slots * blocks;
  const auto for_each_slot = [&](int k, auto f) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i) {
      const auto place = first + blocks * (slot[static_cast<std::size_t>(k)] + static_cast<unsigned>(i));
      f(i, uniform_of<unsigned>(place.operand), reduction(k).state[i]);
    }
  };
  var<bool> is_last(false, where_);
  if_(
      block.thread.x == 0u,
      [&] {
        for (int k = 0; k < f_.reduction_count; ++k)
          if (is_own(k, reduction(k).level))
            for_each_slot(k, [&](std::size_t i, const auto& place, element_code code) {
              const ptx::operand bits = to_bits(code, result(k, i));
              const value<std::uint64_t> wide =
                  bytes_of(code) == 8 ? value<std::uint64_t>{bits} : tg::cast<std::uint64_t>(value<unsigned>{bits});
              parts(place + block.index.x, {}, where_) = wide;
            });
        const auto last = blocks - 1u;
        is_last = atomic_increment<order::acq_rel>(tickets(row, {}, where_), last, where_) == last;
      },
      where_);
  const auto read = [&](int k, const auto& b) {
    for_each_slot(k, [&](std::size_t i, const auto& place, element_code code) {
      const value<std::uint64_t> wide = parts(place + b, {}, where_).get();
      part_of_[static_cast<std::size_t>(k)][i] =
          from_bits(code, bytes_of(code) == 8 ? wide.operand : tg::cast<unsigned>(wide).operand);
    });
  };
  if_(
      block_any(block, is_last, where_),
      [&] {
        for (int level = 0; level < f_.level_count; ++level) add_parts(block, level, read);
        evaluate_row(block);
      },
      where_);
}

}  // namespace tg::detail
