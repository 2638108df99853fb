// The kernels of expressions whose lanes go along the elements: element by element, and reductions along rows.
#pragma once

#include <tg/array/kernel.hpp>

#include <tg/array/columns.hpp>
#include <tg/array/elements.hpp>
#include <tg/array/online_sums.hpp>
#include <tg/array/places.hpp>
#include <tg/array/products.hpp>
#include <tg/array/reductions.hpp>
#include <tg/array/scans.hpp>
#include <tg/array/split_columns.hpp>
#include <tg/array/split_rows.hpp>
#include <tg/array/transposed.hpp>
#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

namespace tg::detail {

/// Elements in one line, a vector for each thread. The few behind the last vector go to the first threads.
template <class Block> void array_recorder::flat(const Block& block) {
  begin_row({});
  const auto go = [&]<class T, int Width>(const auto& i, std::type_identity<T>, std::integral_constant<int, Width>) {
    const auto compute = [&](const line_access& at) {
      element_group group;
      load(&array_recorder::is_any_leaf, at, 0, nullptr, nullptr, group);
      evaluate(true, at, 0, nullptr, nullptr, group);
    };
    const auto vectors = uniform_of<T>(lanes_);
    if_(i < vectors, [&] { compute(access_at<Width>(i * constant<Width>{})); }, where_);
    if (!c_.has_tail) return;
    const auto rest = [&] {
      if constexpr (sizeof(T) == 8) return tg::cast<std::uint64_t>(uniform_of<unsigned>(rest_));
      else return uniform_of<unsigned>(rest_);
    }();
    if_(i < rest, [&] { compute(access_at<1>(vectors * constant<Width>{} + i)); }, where_);
  };
  with_width(c_.width, [&](auto width) {
    if (c_.is_wide) go(block.global_index64(), std::type_identity<std::uint64_t>{}, width);
    else go(block.global_index(), std::type_identity<unsigned>{}, width);
  });
}

/// The block's number along the rows.
template <class Block> ptx::operand array_recorder::row_block(const Block& block) {
  if (!c_.has_planes) return block.index.y.operand;
  return (block.index.z * block.grid.y + block.index.y).operand;
}

/// Threads along rows, blocks over them.
template <class Block> void array_recorder::matrix(const Block& block) {
  constexpr unsigned beside = Block::shape::y;
  const value<unsigned> row = value<unsigned>{row_block(block)} * beside + value<unsigned>{block.thread.y.get().operand};
  const auto go = [&]<class T, int Width>(const auto& i, std::type_identity<T>, std::integral_constant<int, Width>) {
    if_(
        row < value<unsigned>{rows_} && i < uniform_of<T>(lanes_),
        [&] {
          begin_row(row.operand);
          const line_access at = access_at<Width>(i * constant<Width>{});
          element_group group;
          load(&array_recorder::is_any_leaf, at, 0, nullptr, nullptr, group);
          evaluate(true, at, 0, nullptr, nullptr, group);
        },
        where_);
  };
  with_width(c_.width, [&](auto width) {
    if (c_.is_wide) go(block.global_index64(), std::type_identity<std::uint64_t>{}, width);
    else go(block.global_index(), std::type_identity<unsigned>{}, width);
  });
}

/// Reductions along rows: a warp or a block for each.
template <class Block> void array_recorder::rows(const Block& block) {
  constexpr unsigned beside = Block::shape::y;
  value<unsigned> row{block.index.x.operand};
  if constexpr (beside > 1) row.operand = (row * beside + value<unsigned>{block.thread.y.get().operand}).operand;
  const auto compute = [&] {
    begin_row(row.operand);
    if (c_.is_scanned) scanned_row(block);
    else if (c_.chunks > 0) held_row(block);
    else streamed_row(block);
  };
  // Warps without a row have none to wait for: the threads of a warp go the same way.
  if (beside > 1 && c_.row_axes > 0) if_(row < value<unsigned>{rows_}, compute, where_);
  else if (beside > 1) if_(row < 1u, compute, where_);
  else compute();
}

/// What threads hold of reductions becomes what the row has.
template <class Block> void array_recorder::exchange(const Block& block, int level) {
  if constexpr (Block::shape::x == 32) exchange_in_warp(level, 32);
  else exchange_in_block(block, level);
  share_results(level);
}

/// A row whose elements stay in registers.
template <class Block> void array_recorder::held_row(const Block& block) {
  constexpr int threads = Block::shape::x;
  const int chunks = c_.chunks, step = threads * c_.width;
  line_access at;
  with_width(c_.width, [&](auto width) {
    if (c_.is_wide) at = access_at<width.value>(tg::cast<std::uint64_t>(block.thread.x * constant<width.value>{}));
    else at = access_at<width.value>(block.thread.x * constant<width.value>{});
  });
  // All chunks but the last are full.
  fixed_array<element_group, 8> groups;
  ptx::operand is_there;
  if (!c_.is_exact) {
    const ptx::operand first = element_number(at, (chunks - 1) * step, 0);
    is_there = c_.is_wide ? (value<std::uint64_t>{first} < value<std::uint64_t>{lanes_}).operand
                          : (value<unsigned>{first} < value<unsigned>{lanes_}).operand;
  }
  const auto valid_in = [&](int chunk) { return chunk + 1 == chunks && !c_.is_exact ? &is_there : nullptr; };
  const auto group_of = [&](int chunk) -> element_group& { return groups[static_cast<std::size_t>(chunk)]; };
  for (int chunk = 0; chunk < chunks; ++chunk)
    load(&array_recorder::is_read_in_reductions, at, chunk * step, valid_in(chunk), nullptr, group_of(chunk));
  for (int level = 0; level < f_.level_count; ++level) {
    for (int k = 0; k < f_.reduction_count; ++k) {
      if (!is_own(k, level)) continue;
      state own;
      start(k, own);
      if (reduction(k).prepend != nullptr) {
        for (int chunk = chunks - 1; chunk >= 0; --chunk)
          for (int w = c_.width - 1; w >= 0; --w) {
            set_numbers(at, chunk * step, w, valid_in(chunk), nullptr);
            position_ = ptx::operand::integer(chunk * step + w);  // behind the thread's first element
            add_in_front(k, group_of(chunk), w, valid_in(chunk), own);
          }
        set_numbers(at, 0, 0, nullptr, nullptr);
        reduction(k).shift(own.data(), position_);
        keep(k, own);
        continue;
      }
      for (int chunk = 0; chunk < chunks; ++chunk)
        for (int w = 0; w < c_.width; ++w) {
          set_numbers(at, chunk * step, w, valid_in(chunk), nullptr);
          add(k, group_of(chunk), w, valid_in(chunk), chunk == 0 && w == 0 && valid_in(chunk) == nullptr, own);
        }
      keep(k, own);
    }
    exchange(block, level);
  }
  evaluate_row(block);
  if (c_.final == final_pass::own) return final_of_rows(block);
  if (c_.final == final_pass::none) return;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    load(&array_recorder::is_read_only_outside, at, chunk * step, valid_in(chunk), nullptr, group_of(chunk));
    evaluate(true, at, chunk * step, valid_in(chunk), nullptr, group_of(chunk));
  }
}

/// Calls `body(access)` for the elements of a row, all threads beside each other.
template <class Block>
void array_recorder::for_row(const Block& block, int width, const ptx::operand& elements, const access_body& body) {
  with_width(width, [&](auto own) {
    constexpr int count = own.value;
    const auto first = block.thread.x * constant<count>{};
    const auto go = [&](const auto& from, const auto& to) {
      for_(range(from, to, constant<Block::shape::x * count>{}), [&](auto i) { body(access_at<count>(i)); }, where_);
    };
    if (c_.is_wide) go(tg::cast<std::uint64_t>(first), uniform_of<std::uint64_t>(elements));
    else go(first, uniform_of<unsigned>(elements));
  });
}

/// A row that is read again in each pass.
template <class Block> void array_recorder::streamed_row(const Block& block) {
  for (int level = 0; level < f_.level_count; ++level) {
    const bool is_online = has_online_sums(level);
    online_states states;
    if (is_online) start_online(level, c_.width, false, states);
    else start_variables(level, c_.width, states.variables);
    for_row(block, c_.width, lanes_, [&](const line_access& at) {
      element_group group;
      load(&array_recorder::is_read_in_reductions, at, 0, nullptr, nullptr, group);
      const auto number = [&](int w) { set_numbers(at, 0, w, nullptr, nullptr); };
      if (is_online) add_online(level, c_.width, false, group, number, states);
      else add_to_variables(level, c_.width, group, number, states.variables);
    });
    reduce_variables(level, c_.width, states.variables);
    exchange(block, level);
    if (!is_online) continue;
    settle_online(level, c_.width, false, states);
    reduce_variables(++level, c_.width, states.variables);
    exchange(block, level);
  }
  evaluate_row(block);
  if (c_.final != final_pass::none) final_of_rows(block);
}

/// Results of one element for a row, by its first thread.
template <class Block> void array_recorder::evaluate_row(const Block& block) {
  bool is_any = false;
  for (int r = 0; r < f_.result_count; ++r) is_any = is_any || !is_final(r);
  if (!is_any) return;
  // What all threads of a row read, its first one may overwrite.
  for (int l = 0; l < f_.leaf_count && Block::shape::x == 32; ++l)
    if (is_read(l) && is_of_row(l) && class_of(l).is_written && is_read_in_reductions(l)) {
      block.warp().sync(where_);
      break;
    }
  const ptx::operand is_first = (value<unsigned>{block.thread.x.operand} == 0u).operand;
  static const element_group nothing{};
  evaluate(false, access_at<1>(constant<0>{}), 0, &is_first, nullptr, nothing);
}

/// Results of an element for each of the row.
template <class Block> void array_recorder::final_of_rows(const Block& block) {
  const bool is_own = c_.final == final_pass::own;
  for_row(block, is_own ? 1 : c_.width, is_own ? final_lanes_ : lanes_, [&](const line_access& at) {
    element_group group;
    load(&array_recorder::is_read_outside, at, 0, nullptr, nullptr, group);
    evaluate(true, at, 0, nullptr, nullptr, group);
  });
}

/// Reductions down columns.
template <class Block> void array_recorder::columns(const Block& block) {
  if (c_.row_axes > 0) begin_row(row_block(block));
  else begin_row({});
  if (c_.is_split) return split_columns(block);
  const auto go = [&]<class T, int Width>(const auto& i, std::type_identity<T>, std::integral_constant<int, Width>) {
    if constexpr (Width <= 4) {
      const value<bool> is_there = value<T>{i.operand} < value<T>{lanes_};
      const line_access at = access_at<Width>(i * constant<Width>{});
      columns_at(block, at, is_there.operand);
    }
  };
  with_width(c_.width, [&](auto width) {
    if (c_.is_wide) go(block.global_index64(), std::type_identity<std::uint64_t>{}, width);
    else go(block.global_index(), std::type_identity<unsigned>{}, width);
  });
}

inline void array_recorder::record() {
  switch (c_.schedule) {
    case array_schedule::flat: return flat(block_handle<block_t<256>>());
    case array_schedule::matrix:
      if (c_.threads == 256) return matrix(block_handle<block_t<256>>());
      return matrix(block_handle<block_t<32, 8>>());
    case array_schedule::transposed: return transposed(block_handle<block_t<32, 8>>());
    case array_schedule::rows:
      if (c_.is_split && c_.is_scanned) return split_scan(block_handle<block_t<256>>());
      if (c_.is_split) return split_row(block_handle<block_t<256>>());
      if (c_.threads == 32) return rows(block_handle<block_t<32, 8>>());
      if (c_.threads == 256) return rows(block_handle<block_t<256>>());
      return rows(block_handle<block_t<1024>>());
    case array_schedule::columns:
      if (c_.beside == 1) return columns(block_handle<block_t<32>>());
      if (c_.beside == 8) return columns(block_handle<block_t<32, 8>>());
      return columns(block_handle<block_t<32, 32>>());
    case array_schedule::product: return product();
  }
}

TG_LIBRARY_FUNCTION recordable array_kernel::to_recordable() const {
  const kernel_class& own = plan->own;
  const char* const names[] = {"array_flat", "array_matrix",  "array_transposed",
                               "array_rows", "array_columns", "array_product"};
  return {names[static_cast<std::size_t>(own.schedule)],
          {own.threads, own.beside, 1},
          where,
          this,
          [](tracer& t, const void* kernel) { array_recorder(t, *static_cast<const array_kernel*>(kernel)).record(); }};
}

}  // namespace tg::detail
