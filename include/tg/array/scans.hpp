// Scans: what the elements up to each element have, along rows and down columns.
#pragma once

#include <utility>

#include <tg/array/elements.hpp>
#include <tg/array/recorder.hpp>
#include <tg/array/reductions.hpp>
#include <tg/dsl/block/block_scan.hpp>
#include <tg/dsl/flow/for_.hpp>

namespace tg::detail {

/// Whether a level has reductions that are no scans.
inline bool array_recorder::has_level(int level) const {
  for (int k = 0; k < f_.reduction_count; ++k)
    if (is_own(k, level)) return true;
  return false;
}

inline ptx::operand array_recorder::merged(int k, const ptx::operand& first, const ptx::operand& then) {
  state both{first}, other{then};
  merge(k, both, other);
  return both[0];
}

/// A variable for each scan and column with what came before.
inline void array_recorder::start_scans(std::array<scan_states, most_width>& carried, int width) {
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int w = 0; w < width && is_own_scan(k); ++w) {
      state none;
      start(k, none);
      carried[static_cast<std::size_t>(w)][static_cast<std::size_t>(k)] = new_variable(reduction(k).state[0], none[0]);
    }
}

/// Scans that are written several times have the results of the first.
inline void array_recorder::share_scans(int width) {
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int w = 0; w < width && is_scan(k); ++w)
      result(k, 0, w) = result(c_.same_reduction[static_cast<std::size_t>(k)], 0, w);
}

/// What the threads of a row before this one have together, and what all have.
template <class Block>
std::pair<ptx::operand, ptx::operand> array_recorder::scan_threads(const Block& block, int k, const ptx::operand& own) {
  std::pair<ptx::operand, ptx::operand> out;
  state none;
  start(k, none);
  with_element_type(reduction(k).state[0], [&]<class T>(std::type_identity<T>) {
    if constexpr (sizeof(T) >= 4) {
      const auto f = [&](const auto& a, const auto& b) { return value<T>{merged(k, a.operand, b.operand)}; };
      const auto scan = [&](const auto& threads) {
        const auto found = block_scan(threads, value<T>{own}, value<T>{none[0]}, f, where_);
        out = {found.before.operand, found.total.operand};
      };
      if constexpr (Block::shape::x == 32) scan(block_handle<block_t<32>>());
      else scan(block);
    }
  });
  return out;
}

/// A row whose threads take turns of neighbours: each has what came before it from the others and from earlier turns.
template <class Block> void array_recorder::scanned_row(const Block& block) {
  for (int level = 0; level < f_.level_count; ++level) {
    if (!has_level(level)) continue;
    group_states variables;
    start_variables(level, c_.width, variables);
    for_row(block, c_.width, lanes_, [&](const line_access& at) {
      element_group group;
      load([&](int l) { return is_read_in_reductions(l); }, at, 0, nullptr, nullptr, group);
      add_to_variables(level, c_.width, group, [&](int w) { set_numbers(at, 0, w, nullptr, nullptr); }, variables);
    });
    reduce_variables(level, c_.width, variables);
    exchange(block, level);
    // A row's reductions stand beside each of its elements.
    for (int k = 0; k < f_.reduction_count; ++k)
      for (int w = 1; w < c_.width && reduction(k).level == level && !is_scan(k); ++w)
        for (std::size_t i = 0; i < most_states; ++i) result(k, i, w) = result(k, i, 0);
  }
  evaluate_row(block);
  std::array<scan_states, most_width> carried;
  start_scans(carried, 1);
  with_width(c_.width, [&](auto own_width) {
    constexpr int width = own_width.value;
    const auto turn = [&]<class T>(std::type_identity<T>, const auto& from) {
      const auto i = from + [&] {
        if constexpr (sizeof(T) == 8) return tg::cast<std::uint64_t>(block.thread.x * constant<width>{});
        else return block.thread.x * constant<width>{};
      }();
      const line_access at = access_at<width>(i);
      const ptx::operand valid = (value<T>{i.operand} < value<T>{lanes_}).operand;
      element_group group;
      load([](int) { return true; }, at, 0, &valid, nullptr, group);
      for (int k = 0; k < f_.reduction_count; ++k) {
        if (!is_own_scan(k)) continue;
        const element_code code = reduction(k).state[0];
        std::array<ptx::operand, width> through;
        for (int w = 0; w < width; ++w) {
          set_numbers(at, 0, w, &valid, nullptr);
          state element;
          reduction(k).element(reader(group, w, reduction(k).first), element.data());
          const auto n = static_cast<std::size_t>(w);
          through[n] = w == 0 ? element[0] : merged(k, through[n - 1], element[0]);
        }
        state none;
        start(k, none);
        const auto [before, all] = scan_threads(block, k, select_element(code, valid, through[width - 1], none[0]));
        const ptx::operand& carry = carried[0][static_cast<std::size_t>(k)];
        const ptx::operand earlier = read_variable(code, carry), first = merged(k, earlier, before);
        for (int w = 0; w < width; ++w) result(k, 0, w) = merged(k, first, through[static_cast<std::size_t>(w)]);
        set_variable(code, carry, merged(k, earlier, all));
      }
      share_scans(width);
      evaluate(true, at, 0, &valid, nullptr, group);
    };
    constexpr constant<Block::shape::x * width> step{};
    const auto turns = [&]<class T>(std::type_identity<T> type) {
      for_(range(constant<0>{}, uniform_of<T>(lanes_), step), [&](const auto& from) { turn(type, from); }, where_);
    };
    if (c_.is_wide) turns(std::type_identity<std::uint64_t>{});
    else turns(std::type_identity<unsigned>{});
  });
}

}  // namespace tg::detail
