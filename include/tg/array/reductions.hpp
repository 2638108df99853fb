// Partial results of reductions: in a thread, and what the threads of a row put together.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <tg/array/recorder.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/memory/shared.hpp>

namespace tg::detail {

inline void array_recorder::start(int k, state& s) {
  static const element_group nothing{};
  reduction(k).start(reader(nothing, 0, reduction(k).first), s.data());
}

inline void array_recorder::merge(int k, state& s, const state& other) { reduction(k).merge(s.data(), other.data()); }

inline void array_recorder::add(int k, const element_group& group, int w, const ptx::operand* valid, bool is_first, state& s) {
  state own;
  reduction(k).element(reader(group, w, reduction(k).first), own.data());
  state both = own;
  if (!is_first) {
    both = s;
    merge(k, both, own);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
    s[i] = valid == nullptr ? both[i] : select_element(reduction(k).state[i], *valid, both[i], s[i]);
}

/// Adds an element in front of those of a state, where `valid` holds.
inline void array_recorder::add_in_front(int k, const element_group& group, int w, const ptx::operand* valid, state& s) {
  state both = s;
  reduction(k).prepend(reader(group, w, reduction(k).first), both.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
    s[i] = valid == nullptr ? both[i] : select_element(reduction(k).state[i], *valid, both[i], s[i]);
}

/// A variable for each reduction of the level and each of `width` columns.
inline void array_recorder::start_variables(int level, int width, group_states& variables) {
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int w = 0; w < width && is_own(k, level); ++w) {
      state& own = variables[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)];
      start(k, own);
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
        own[i] = new_variable(reduction(k).state[i], own[i]);
    }
}

/// Adds element w of a group to variable w. `number(w)`: sets the numbers of that element.
inline void array_recorder::add_to_variables(int level, int width, const element_group& group,
                                             const std::function<void(int)>& number, const group_states& variables) {
  for (int w = 0; w < width; ++w) {
    number(w);
    for (int k = 0; k < f_.reduction_count; ++k) {
      if (!is_own(k, level)) continue;
      const state& own = variables[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)];
      state s;
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
        s[i] = read_variable(reduction(k).state[i], own[i]);
      add(k, group, w, nullptr, false, s);
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i)
        set_variable(reduction(k).state[i], own[i], s[i]);
    }
  }
}

inline void array_recorder::read_variables(int level, int width, group_states& variables) {
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int w = 0; w < width && is_own(k, level); ++w)
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i) {
        ptx::operand& own = variables[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)][i];
        own = read_variable(reduction(k).state[i], own);
      }
}

/// What the columns' variables hold together becomes a thread's part of the results.
inline void array_recorder::reduce_variables(int level, int width, group_states& variables) {
  read_variables(level, width, variables);
  for (int k = 0; k < f_.reduction_count; ++k) {
    if (!is_own(k, level)) continue;
    auto& own = variables[static_cast<std::size_t>(k)];
    for (std::size_t w = 1; w < static_cast<std::size_t>(width); ++w) merge(k, own[0], own[w]);
    keep(k, own[0]);
  }
}

/// The register with part `i` of a reduction's result, of the rows' only column or of one of a lane's.
inline ptx::operand& array_recorder::result(int k, std::size_t i, int column) {
  return results_[static_cast<std::size_t>(column)][static_cast<std::size_t>(k) * most_states + i];
}

inline void array_recorder::keep(int k, const state& s, int column) {
  for (std::size_t i = 0; i < most_states; ++i) result(k, i, column) = s[i];
}

/// Reductions that are written several times have the result of the first.
inline void array_recorder::share_results(int level, int columns) {
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int column = 0; column < columns && reduction(k).level == level; ++column)
      for (std::size_t i = 0; i < most_states; ++i)
        result(k, i, column) = result(c_.same_reduction[static_cast<std::size_t>(k)], i, column);
}

/// `x` of the lane whose number differs by `mask`.
inline ptx::operand exchanged(element_code code, const ptx::operand& x, int mask) {
  const warp_handle<index::data, index::data> warp{value<unsigned>{ptx::operand{}}, value<unsigned>{ptx::operand{}}};
  const ptx::operand bits = to_bits(code, x);
  return from_bits(code, bytes_of(code) == 8 ? warp.shuffle_xor(value<std::uint64_t>{bits}, mask).operand
                                             : warp.shuffle_xor(value<unsigned>{bits}, mask).operand);
}

/// Results of the level, which each lane holds a part of, over groups of so many lanes: right in all of them.
inline void array_recorder::exchange_in_warp(int level, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    for (int k = 0; k < f_.reduction_count; ++k) {
      if (!is_own(k, level)) continue;
      state own, other;
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states); ++i) {
        own[i] = result(k, i);
        other[i] = exchanged(reduction(k).state[i], own[i], distance);
      }
      merge(k, own, other);
      keep(k, own);
    }
}

/// Over all threads of the block, each warp's part through shared memory.
template <class Block> void array_recorder::exchange_in_block(const Block& block, int level) {
  constexpr int warps = warps_of<Block>;
  exchange_in_warp(level, 32);
  const auto warp = block.warp();
  const auto through = [&](auto number, ptx::operand& own) -> std::function<void()> {
    using T = typename decltype(number)::type;
    using tile = decltype(shared<T>(shape<warps>, {}, where_));
    const std::shared_ptr<const tile> parts(new tile(shared<T>(shape<warps>, {}, where_)));
    if_(warp.lane == 0, [&] { (*parts)(warp.index, {}, where_) = value<T>{own}; }, where_);
    const auto place = warp.lane % constant<warps>{};
    return [parts, place, &own, where = where_] { own = (*parts)(place, {}, where).get().operand; };
  };
  const auto for_each_state = [&](auto f) {
    for (int k = 0; k < f_.reduction_count; ++k)
      for (std::size_t i = 0; i < static_cast<std::size_t>(reduction(k).states) && is_own(k, level); ++i)
        f(reduction(k).state[i], result(k, i));
  };
  std::vector<std::function<void()>> reads;
  for_each_state([&](element_code code, ptx::operand& own) {
    own = to_bits(code, own);
    if (bytes_of(code) == 8) reads.push_back(through(std::type_identity<std::uint64_t>{}, own));
    else reads.push_back(through(std::type_identity<unsigned>{}, own));
  });
  block.sync(where_);
  for (const auto& read : reads) read();
  for_each_state([&](element_code code, ptx::operand& own) { own = from_bits(code, own); });
  exchange_in_warp(level, warps);
}

}  // namespace tg::detail
