// A number of each thread of a block, for the compiler to add and compare.
//
// In most numbers each warp has those of the first one, moved by one number of its own: thread.x / 4 by 8 times the number of
// the warp, thread.x % 32 by 0. Then only the numbers of the first warp and the moves are kept, which is an eighth of the work
// for a block of eight warps. What would not keep this form (thread.x % 48) is kept thread by thread.
#pragma once

#include <cstdint>

#include <tg/analysis/warp.hpp>

namespace tg::index::detail {

/// Whether the threads of each warp have the coordinates of warp 0's, all moved by the same.
constexpr bool is_moved_by_warps(analysis::block_extent block) {
  constexpr int lanes = analysis::warp_lanes;
  if (block.threads() % lanes != 0) return false;
  if (block.x % lanes == 0) return true;
  return lanes % block.x == 0 && (block.y % (lanes / block.x) == 0 || lanes / block.x % block.y == 0);
}

/// The numbers of `Count` threads, or one number for all.
template <int Count> struct thread_numbers {
  static constexpr int lanes = analysis::warp_lanes;
  static constexpr int warps = (Count + lanes - 1) / lanes;
  static constexpr bool may_move = Count > lanes&& Count % lanes == 0;

  std::int64_t of[Count] = {};     // of each thread; where warps are moved, of those of the first one
  std::int64_t moves[warps] = {};  // of each warp; the first has none
  bool is_moved = false;
  bool any_below_0 = false;
  std::int64_t bits = 0;       // that any of them has; of a negative one, that its complement has
  std::int64_t move_bits = 0;  // that the moves have and no number of the first warp; -1: some are in both

  constexpr int kept() const { return is_moved ? lanes : Count; }
  constexpr std::int64_t at(int thread) const {
    if (is_moved) return of[thread % lanes] + moves[thread / lanes];
    return of[Count == 1 ? 0 : thread];
  }

  constexpr void take_stock() {
    std::int64_t own = 0, moved = 0;
    for (int t = 0; t < kept(); ++t) own |= of[t];
    for (int w = 1; w < warps; ++w) moved |= moves[w];
    if (own >= 0 && moved >= 0 && (own & moved) == 0) {
      bits = own | moved;
      move_bits = moved;
      return;
    }
    move_bits = -1;
    for (int t = 0; t < Count; ++t) {
      const std::int64_t number = at(t);
      bits |= number ^ (number >> 63);
      if (number < 0) any_below_0 = true;
    }
  }

  /// Whether all lanes of a warp have one number.
  constexpr bool is_one_in(int warp) const {
    const int first = is_moved ? 0 : warp * lanes;
    for (int l = 1; l < lanes && first + l < Count; ++l)
      if (of[first + l] != of[first]) return false;
    return true;
  }

  /// Lanes past the last thread get the number of the warp's first.
  constexpr void copy_warp(int warp, std::int64_t* to) const {
    const int first = Count == 1 || is_moved ? 0 : warp * lanes;
    const std::int64_t move = is_moved ? moves[warp] : 0;
    for (int l = 0; l < lanes; ++l) to[l] = of[first + l < Count ? first + l : first] + move;
  }

  /// Whether the lanes of two warps, `a` below `b`, are apart by one multiple of `period`.
  constexpr bool are_apart(int a, int b, std::int64_t period) const {
    if (is_moved) return (moves[b] - moves[a]) % period == 0;
    const int first_a = a * lanes, first_b = b * lanes;
    if (Count - first_b < lanes) return false;  // the last warp has fewer lanes
    const std::int64_t apart = of[first_b] - of[first_a];
    if (apart % period != 0) return false;
    for (int l = 1; l < lanes; ++l)
      if (of[first_b + l] - of[first_a + l] != apart) return false;
    return true;
  }

  /// Whether the lanes of two warps, `a` below `b`, differ by one xor with a multiple of `period`. Requires: no number is below
  /// 0.
  constexpr bool are_renamed(int a, int b, std::int64_t period) const {
    if (is_moved && move_bits >= 0) return (moves[a] ^ moves[b]) % period == 0;
    const int first_a = a * lanes, first_b = b * lanes;
    if (Count - first_b < lanes) return false;
    const std::int64_t differ = at(first_b) ^ at(first_a);
    if (differ % period != 0) return false;
    for (int l = 1; l < lanes; ++l)
      if ((at(first_b + l) ^ at(first_a + l)) != differ) return false;
    return true;
  }

  /// Adds `factor` times the numbers of as many threads.
  constexpr void add(const thread_numbers& from, std::int64_t factor) {
    if (from.is_moved && !is_moved) {
      for (int t = 0; t < Count; ++t) of[t] += factor * from.at(t);
      return;
    }
    for (int t = 0; t < kept(); ++t) of[t] += factor * from.of[t];
    if (is_moved)
      for (int w = 1; w < warps; ++w) moves[w] += factor * from.moves[w];
  }

  /// All numbers from those of the first thread of each warp on, where warps are moved.
  template <class Number> constexpr void fill(Number number) {
    for (int t = 0; t < kept(); ++t) of[t] = number(t);
    if (is_moved)
      for (int w = 1; w < warps; ++w) moves[w] = number(w * lanes) - of[0];
    take_stock();
  }
};

/// The coordinate of each thread.
template <int X, int Y, int Z> constexpr thread_numbers<X * Y * Z> thread_coordinates(char axis) {
  thread_numbers<X * Y * Z> out;
  out.is_moved = out.may_move && is_moved_by_warps({X, Y, Z});
  out.fill([=](int t) -> std::int64_t { return axis == 'x' ? t % X : axis == 'y' ? t / X % Y : t / X / Y; });
  return out;
}

/// Quotients or remainders by `n`. Requires: no number is below 0, n > 0.
template <int Count> constexpr thread_numbers<Count> divided(const thread_numbers<Count>& from, std::int64_t n, bool is_rest) {
  thread_numbers<Count> out;
  if (from.is_moved) {
    bool are_multiples = true;
    for (int w = 1; w < from.warps; ++w) are_multiples = are_multiples && from.moves[w] % n == 0;
    out.is_moved = are_multiples || from.is_one_in(0);
  }
  out.fill([&](int t) { return is_rest ? from.at(t) % n : from.at(t) / n; });
  return out;
}

enum class bits_of_two { and_, or_, xor_ };

/// Bits of two numbers of each thread, one of which may be the same for all.
template <int A, int B>
constexpr thread_numbers<(A > B ? A : B)> bits_of(bits_of_two what, const thread_numbers<A>& a, const thread_numbers<B>& b) {
  thread_numbers<(A > B ? A : B)> out;
  // The bits of a warp's own moves stay apart from those of the lanes. What is the same in all warps is part of the lanes'
  // bits, but a mask takes from both.
  if ((A == 1 || a.is_moved) && (B == 1 || b.is_moved) && a.move_bits >= 0 && b.move_bits >= 0) {
    const std::int64_t moved = a.move_bits | b.move_bits;
    const bool is_mask = what == bits_of_two::and_ && (A == 1 || B == 1);
    out.is_moved = out.may_move && (is_mask || (((a.bits & ~a.move_bits) | (b.bits & ~b.move_bits)) & moved) == 0);
  }
  out.fill([&](int t) {
    const std::int64_t x = a.at(t), y = b.at(t);
    return what == bits_of_two::and_ ? x & y : what == bits_of_two::or_ ? x | y : x ^ y;
  });
  return out;
}

}  // namespace tg::index::detail
