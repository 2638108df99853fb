// The k largest elements of each row with their columns, k up to 64, one block for each row of any length. Each warp keeps the
// best 64 it has seen, two a lane, and looks at 32 elements at a time; it sorts and merges only where one is better than its
// last. Elements are compared as one word: the order of the value above, the column below, so that no two are equal.
#pragma once

#include <cstdint>

#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// The most elements of a row that `top_k` finds.
inline constexpr unsigned most_top_k = 64;

namespace detail {

/// A word that grows with x and, where x is equal, falls with its column: NaN is above infinity, -0 and +0 are equal.
/// 0 is below all of them.
template <class X, class C> auto ranked(const X& x, const C& column) {
  const auto bits = tg::let(tg::bit_cast<unsigned>(x + 0.0f));
  const auto ordered = tg::let(bits ^ (tg::bit_cast<unsigned>(tg::bit_cast<int>(bits) >> 31u) | 0x80000000u));
  const auto above = tg::let(tg::select(x == x, ordered, 0xffffffffu));
  return tg::let(tg::cast<std::uint64_t>(above) << 32u | tg::cast<std::uint64_t>(~column));
}
/// The column in such a word.
template <class W> auto column_of(const W& word) { return tg::let(~tg::cast<unsigned>(word)); }

using word = tg::value<std::uint64_t>;

/// One step of a network: of two lanes `distance` apart, the one that `is_first` keeps the larger.
template <class Warp, class C> word larger_first(const Warp& warp, const word& own, unsigned distance, const C& is_first) {
  const word other = warp.shuffle_xor(own, distance);
  return tg::select((own < other) ^ is_first, own, other);
}
/// Lanes whose words rise and then fall, or turned by any distance, in descending order.
template <class Warp> word merged(const Warp& warp, word own) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    own.operand = larger_first(warp, own, distance, (warp.lane & distance) == 0u).operand;
  return own;
}
/// The words of 32 lanes in descending order: a bitonic network.
template <class Warp> word sorted(const Warp& warp, word own) {
  for (unsigned size = 2; size < 32; size *= 2)
    for (unsigned distance = size / 2; distance > 0; distance /= 2)
      own.operand = larger_first(warp, own, distance, ((warp.lane / distance ^ warp.lane / size) & 1u) == 0u).operand;
  return merged(warp, own);
}

/// The best of what one warp has seen, in descending order: lane l has those of ranks l and 32 + l.
class best_of_warp {
 public:
  /// Takes 32 words in descending order.
  template <class Warp> void take_sorted(const Warp& warp, const word& others) {
    word rest = others;
    for (int r = 0; r < 2; ++r) {
      const word turned = warp.shuffle_xor(rest, 31u), own = kept_(r).get();
      kept_(r) = merged(warp, tg::max(own, turned));
      rest.operand = merged(warp, tg::min(own, turned)).operand;
    }
  }
  /// Takes any 32 words, of which those below the last rank do not count.
  template <class Warp> void take(const Warp& warp, const word& others) {
    const auto last = tg::let(warp.shuffle(kept_(1), 31u));
    tg::if_(tg::assume_warp_uniform(warp.ballot(others > last)) != 0u, [&] { take_sorted(warp, sorted(warp, others)); });
  }
  word rank(int r) const { return kept_(r).get(); }

 private:
  tg::regs<std::uint64_t, 2> kept_ = std::uint64_t{0};
};

/// The best 64 words of a row in the lanes of warp 0, which calls `then(best)`.
template <class Block, class X, class R, class C, class Then>
void best_of_row(const Block& block, const X& x, const R& row, const C& columns, Then then) {
  const auto warp = block.warp();
  const auto lists = tg::shared<std::uint64_t>(tg::shape<8, 64>);
  best_of_warp best;
  tg::for_(tg::range(warp.index * 32_c, columns, 256_c), [&](auto first) {
    const auto j = tg::let(first + warp.lane);
    tg::var<std::uint64_t> own = std::uint64_t{0};
    tg::if_(j < columns, [&] { own = ranked(tg::let(x(row, j)), j); });
    best.take(warp, own.get());
  });
  for (int r = 0; r < 2; ++r) lists(warp.index, warp.lane + 32u * r) = best.rank(r);
  block.sync();
  tg::if_(warp.index == 0u, [&] {
    tg::for_(tg::range(1u, 8u), [&](auto w) {
      for (int r = 0; r < 2; ++r) best.take_sorted(warp, tg::let(lists(w, warp.lane + 32u * r)));
    });
    then(best);
  });
}

}  // namespace detail

/// values(r, 0), ..., values(r, k - 1): the largest elements of row r in descending order, and their columns; of equals that of
/// the lower column comes first. NaN counts as larger than infinity. Launch with `tg::grid(rows)`.
/// Requires: k <= 64, k <= columns.
inline constexpr auto top_k =
    tg::kernel<"top_k">(tg::block<256>, [](auto block, tg::in2<float> x, tg::out2<float> values, tg::out2<unsigned> places,
                                           tg::scalar<unsigned> columns, tg::scalar<unsigned, tg::at_most<64>> k) {
      const auto row = block.index.x;
      detail::best_of_row(block, x, row, columns, [&](const auto& best) {
        for (unsigned r = 0; r < 2; ++r) {
          const auto rank = tg::let(block.warp().lane + 32u * r);
          const auto column = detail::column_of(best.rank(static_cast<int>(r)));
          tg::if_(rank < k, [&] {
            values(row, rank) = x(row, tg::gather(column));
            places(row, rank) = column;
          });
        }
      });
    });

}  // namespace tg::kernels
