// Scans: what the elements up to each element have, along rows and down columns.
#pragma once

#include <utility>

#include <tg/array/elements.hpp>
#include <tg/array/recorder.hpp>
#include <tg/array/reductions.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/block/block_scan.hpp>
#include <tg/dsl/block/look_back.hpp>
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
inline void array_recorder::start_scans(fixed_array<scan_states, most_width>& carried, int width) {
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

/// One turn of the threads of a row. `valid`: whether the lane has elements. `carried`: variables with what came before.
template <class Block>
void array_recorder::scan_turn(const Block& block, const line_access& at, const ptx::operand& valid,
                               const scan_states& carried) {
  const int width = at.width;
  element_group group;
  load(&array_recorder::is_any_leaf, at, 0, &valid, nullptr, group);
  for (int k = 0; k < f_.reduction_count; ++k) {
    if (!is_own_scan(k)) continue;
    const element_code code = reduction(k).state[0];
    fixed_array<ptx::operand, most_width> through;
    for (int w = 0; w < width; ++w) {
      set_numbers(at, 0, w, &valid, nullptr);
      state element;
      reduction(k).element(reader(group, w, reduction(k).first), element.data());
      const auto n = static_cast<std::size_t>(w);
      through[n] = w == 0 ? element[0] : merged(k, through[n - 1], element[0]);
    }
    state none;
    start(k, none);
    const ptx::operand& last = through[static_cast<std::size_t>(width - 1)];
    const auto [before, all] = scan_threads(block, k, select_element(code, valid, last, none[0]));
    const ptx::operand& carry = carried[static_cast<std::size_t>(k)];
    const ptx::operand earlier = read_variable(code, carry), first = merged(k, earlier, before);
    for (int w = 0; w < width; ++w) result(k, 0, w) = merged(k, first, through[static_cast<std::size_t>(w)]);
    set_variable(code, carry, merged(k, earlier, all));
  }
  share_scans(width);
  evaluate(true, at, 0, &valid, nullptr, group);
}

/// A row whose threads take turns of neighbours: each has what came before it from the others and from earlier turns.
template <class Block> void array_recorder::scanned_row(const Block& block) {
  for (int level = 0; level < f_.level_count; ++level) {
    if (!has_level(level)) continue;
    group_states variables;
    start_variables(level, c_.width, variables);
    for_row(block, c_.width, lanes_, [&](const line_access& at) {
      element_group group;
      load(&array_recorder::is_read_in_reductions, at, 0, nullptr, nullptr, group);
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
  fixed_array<scan_states, most_width> carried;
  start_scans(carried, 1);
  with_width(c_.width, [&](auto own_width) {
    constexpr int width = own_width.value;
    constexpr constant<Block::shape::x * width> step{};
    const auto turns = [&]<class T>(std::type_identity<T>) {
      const auto turn = [&](const auto& from) {
        const auto i = from + [&] {
          if constexpr (sizeof(T) == 8) return tg::cast<std::uint64_t>(block.thread.x * constant<width>{});
          else return block.thread.x * constant<width>{};
        }();
        const line_access at = access_at<width>(i);
        scan_turn(block, at, (value<T>{i.operand} < value<T>{lanes_}).operand, carried[0]);
      };
      for_(range(constant<0>{}, uniform_of<T>(lanes_), step), turn, where_);
    };
    if (c_.is_wide) turns(std::type_identity<std::uint64_t>{});
    else turns(std::type_identity<unsigned>{});
  });
}

/// One block's part of a row, of those that share it: elements stay in registers while the first warp looks back at what the
/// parts before have. Memory has look-back words for each scan of each row, as many as the widest of their numbers takes.
template <class Block> void array_recorder::split_scan(const Block& block) {
  using words_view = view<std::uint64_t, mode::read_write, 1>;
  const auto row = split_row_number(block);
  begin_row(row.operand);
  constexpr int threads = Block::shape::x;
  const int chunks = c_.chunks, step = threads * c_.width;
  std::uint64_t words_of_part = 1;
  for (int k = 0; k < f_.reduction_count; ++k)
    if (is_own_scan(k) && bytes_of(reduction(k).state[0]) == 8) words_of_part = 3;
  // The words of scan number `scan` of this row.
  const auto words_of = [&](int scan) {
    const auto number = row * static_cast<unsigned>(f_.scan_count) + static_cast<unsigned>(scan);
    const value<std::uint64_t> words = tg::cast<std::uint64_t>(block.grid.x) * words_of_part + std::uint64_t{look_back_head};
    const value<std::uint64_t> bytes = tg::cast<std::uint64_t>(number) * (words * std::uint64_t{8});
    return words_view(operand_count(), sum_of(parts_, bytes.operand), {});
  };
  const auto for_each_scan = [&](auto f) {
    int scan = 0;
    for (int k = 0; k < f_.reduction_count; ++k)
      if (is_own_scan(k))
        with_element_type(reduction(k).state[0], [&]<class T>(std::type_identity<T> type) {
          if constexpr (sizeof(T) >= 4) f(k, type, words_of(scan));
          ++scan;
        });
  };
  value<unsigned, uniform_form> part{ptx::operand{}};
  bool is_first = true;
  for_each_scan([&](int, auto, const words_view& words) {
    if (is_first) part.operand = take_part(block, words, where_).operand;
    is_first = false;
  });
  const auto width = static_cast<std::size_t>(c_.width);
  line_access at;
  with_width(c_.width, [&](auto own) {
    const auto lane = block.thread.x * constant<own.value>{};
    if (c_.is_wide) {
      const value<std::uint64_t> first = tg::cast<std::uint64_t>(part) * static_cast<std::uint64_t>(chunks * step);
      at = access_at<own.value>(uniform_of<std::uint64_t>(first.operand) + tg::cast<std::uint64_t>(lane));
    } else {
      at = access_at<own.value>(part * static_cast<unsigned>(chunks * step) + lane);
    }
  });
  fixed_array<element_group, 8> groups;
  fixed_array<ptx::operand, 8> valid;
  fixed_array<fixed_array<fixed_array<ptx::operand, most_width>, 8>, most_reductions> through;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const auto c = static_cast<std::size_t>(chunk);
    const ptx::operand first = element_number(at, chunk * step, 0);
    valid[c] = c_.is_wide ? (value<std::uint64_t>{first} < value<std::uint64_t>{lanes_}).operand
                          : (value<unsigned>{first} < value<unsigned>{lanes_}).operand;
    load(&array_recorder::is_any_leaf, at, chunk * step, &valid[c], nullptr, groups[c]);
  }
  for_each_scan([&]<class T>(int k, std::type_identity<T>, const words_view& words) {
    const element_code code = reduction(k).state[0];
    auto& own = through[static_cast<std::size_t>(k)];
    state none;
    start(k, none);
    ptx::operand all = none[0];
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const auto c = static_cast<std::size_t>(chunk);
      for (std::size_t n = 0; n < width; ++n) {
        const int w = static_cast<int>(n);
        set_numbers(at, chunk * step, w, &valid[c], nullptr);
        state element;
        reduction(k).element(reader(groups[c], w, reduction(k).first), element.data());
        own[c][n] = n == 0 ? element[0] : merged(k, own[c][n - 1], element[0]);
      }
      const auto [before, of_chunk] = scan_threads(block, k, select_element(code, valid[c], own[c][width - 1], none[0]));
      const ptx::operand first = chunk == 0 ? before : merged(k, all, before);
      for (std::size_t n = 0; n < width; ++n) own[c][n] = merged(k, first, own[c][n]);
      all = chunk == 0 ? of_chunk : merged(k, all, of_chunk);
    }
    const auto earlier = shared<T>(shape<1>, {}, where_);
    const auto f = [&](const auto& a, const auto& b) { return value<T>{merged(k, value<T>(a).operand, value<T>(b).operand)}; };
    const auto look = [&] {
      const value<T> found = look_back<T>(block, words, part, value<T>{all}, value<T>{none[0]}, f, where_);
      if_(block.thread.x == 0u, [&] { earlier(constant<0>{}, {}, where_) = found; }, where_);
    };
    if_(block.warp().index == 0u, look, where_);
    block.sync(where_);
    const ptx::operand before_part = earlier(constant<0>{}, {}, where_).get().operand;
    for (std::size_t c = 0; c < static_cast<std::size_t>(chunks); ++c)
      for (std::size_t n = 0; n < width; ++n) own[c][n] = merged(k, before_part, own[c][n]);
  });
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const auto c = static_cast<std::size_t>(chunk);
    for (int k = 0; k < f_.reduction_count; ++k)
      for (std::size_t n = 0; n < width && is_own_scan(k); ++n)
        result(k, 0, static_cast<int>(n)) = through[static_cast<std::size_t>(k)][c][n];
    share_scans(c_.width);
    evaluate(true, at, chunk * step, &valid[c], nullptr, groups[c]);
  }
  for_each_scan([&]<class T>(int, std::type_identity<T>, const words_view& words) { end_part<T>(block, words, where_); });
}

}  // namespace tg::detail
