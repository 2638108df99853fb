// Sorts each segment of a line by itself, stably, with the place of each key: many short lists at once, as candidates of
// queries, neighbours of points or rows of a sparse matrix are.
//
// A key and its place are one word, so that no two are equal, and a bitonic network of Batcher sorts words: those of a segment
// of up to 256 in the registers of a warp, those of up to 2048 in the registers of a block, whose warps exchange them through
// shared memory. Word i of a segment is in thread i % threads. Source: Batcher, "Sorting networks and their applications",
// 1968.
#pragma once

#include <bit>
#include <cstdint>

#include <kernels/radix_sort.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// Threads that `sort_segments<Key, Most>` has for a segment: a warp, or a block.
template <unsigned Most> inline constexpr unsigned sort_threads = Most <= 256 ? 32 : 256;

namespace detail {

/// The words of a segment, `Words` in each of `Threads` threads.
template <unsigned Threads, unsigned Words> class bitonic_network {
 public:
  tg::regs<std::uint64_t, int(Words)> own = ~std::uint64_t{0};

  /// The tile through which the warps of a block exchange words.
  static auto exchange() { return tg::shared<std::uint64_t>(tg::shape<Words, Threads / 32, 32>); }
  /// Sorts in ascending order. All threads of a segment take part. `words`: `exchange()`, of a warp anything.
  template <class Block, class Tile> void sort(const Block& block, const Tile& words) {
    for (unsigned size = 2; size <= Threads * Words; size *= 2)
      for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        if (distance >= Threads) within_thread(distance / Threads, size / Threads);
        else if (distance < 32) within_warp(block, distance, size);
        else if constexpr (Threads > 32) among_warps(block, words, distance, size);
      }
  }

 private:
  void within_thread(unsigned distance, unsigned size) {
    for (unsigned r = 0; r < Words; ++r) {
      if ((r & distance) != 0) continue;
      const int first = static_cast<int>(r), second = static_cast<int>(r + distance);
      const auto low = tg::let(tg::min(own(first), own(second))), high = tg::let(tg::max(own(first), own(second)));
      const bool ascends = (r & size) == 0;
      own(first) = ascends ? low : high;
      own(second) = ascends ? high : low;
    }
  }
  template <class Block> void within_warp(const Block& block, unsigned distance, unsigned size) {
    const auto thread = tg::let(block.thread.x % constant<Threads>{});
    for (unsigned r = 0; r < Words; ++r)
      keep(r, tg::let(block.warp().shuffle_xor(own(static_cast<int>(r)), distance)), thread, distance, size);
  }
  template <class Block, class Tile> void among_warps(const Block& block, const Tile& words, unsigned distance, unsigned size) {
    const auto warp = block.warp();
    tg::unroll<Words>([&](auto r) { words(r, warp.index, warp.lane) = own(r); });
    block.sync();
    const auto partner = tg::let(warp.index ^ (distance / 32));
    tg::unroll<Words>([&](auto r) {
      keep(static_cast<unsigned>(r.value), tg::let(words(r, partner, warp.lane)), block.thread.x, distance, size);
    });
    block.sync();
  }
  // Two words are `distance` apart: the lower place keeps the smaller one where the run of `size` ascends.
  template <class Other, class T> void keep(unsigned r, const Other& other, const T& thread, unsigned distance, unsigned size) {
    const int at = static_cast<int>(r);
    const auto is_smaller = tg::let(own(at) < other);
    const auto is_lower = tg::let((thread & distance) == 0u);
    if (size < Threads) own(at) = tg::select(is_smaller ^ is_lower ^ ((thread & size) == 0u), own(at), other);
    else if ((r & size / Threads) == 0) own(at) = tg::select(is_smaller ^ is_lower, other, own(at));
    else own(at) = tg::select(is_smaller ^ is_lower, own(at), other);
  }
};

}  // namespace detail

/// sorted(begin), ..., sorted(end - 1): the keys of each segment from begin = offsets(s) to end = offsets(s + 1) in ascending
/// order, and places(begin), ...: where in its segment each of them was. Equal keys keep their order. Key: unsigned, int, or
/// float, of which -NaN comes first, then -infinity, ..., -0, +0, ..., infinity, NaN. `Most`: a power of two, 32 to 2048.
/// Launch with `sort_segments_grid<Most>(segments)`. Requires: offsets ascend and lie inside of `keys`; no segment has more
/// than `Most` keys; `sorted` and `places` are other memory than `keys`; segments + 8 < 2^32. Cost: reads and writes each key
/// once, and once more for the order; log2(Most) * (log2(Most) + 1) / 2 steps, however short a segment is.
template <class Key, unsigned Most = 32>
inline constexpr auto sort_segments =
    tg::kernel<"sort_segments">(tg::block<256>, [](auto block, tg::in<unsigned> offsets, tg::in<Key> keys, tg::out<Key> sorted,
                                                   tg::out<unsigned> places, tg::scalar<unsigned> segments) {
      static_assert(std::has_single_bit(Most) && Most >= 32 && Most <= 2048, "sort_segments: 32 to 2048 keys, a power of two");
      static_assert(sizeof(Key) == 4, "sort_segments: keys of 32 bits");
      constexpr unsigned threads = sort_threads<Most>, words = Most / threads;
      const auto thread = tg::let(block.thread.x % constant<threads>{});
      const auto run = [&](const auto& begin, const auto& count, const auto& exchange) {
        detail::bitonic_network<threads, words> network;
        for (unsigned r = 0; r < words; ++r) {
          const auto at = tg::let(thread + r * threads);
          tg::if_(at < count, [&] {
            network.own(static_cast<int>(r)) = tg::cast<std::uint64_t>(detail::ordered_bits<Key>(tg::let(keys(begin + at))))
                                                   << 32u |
                                               tg::cast<std::uint64_t>(at);
          });
        }
        network.sort(block, exchange);
        for (unsigned r = 0; r < words; ++r) {
          const auto at = tg::let(thread + r * threads);
          tg::if_(at < count, [&] {
            const auto place = tg::let(tg::cast<unsigned>(network.own(static_cast<int>(r))));
            sorted(begin + at) = keys(tg::gather(begin + place));
            places(begin + at) = place;
          });
        }
      };
      if constexpr (threads == 32) {
        const auto segment = tg::let(block.index.x * 8_c + block.warp().index);
        tg::if_(segment < segments, [&] {
          const auto begin = tg::assume_warp_uniform(offsets(segment));
          run(begin, tg::let(tg::assume_warp_uniform(offsets(segment + 1u)) - begin), nullptr);
        });
      } else {
        const auto segment = tg::let(tg::min(block.index.x, segments - 1u));
        const auto begin = tg::assume_uniform(offsets(segment));
        run(begin, tg::let(tg::assume_uniform(offsets(segment + 1u)) - begin),
            detail::bitonic_network<threads, words>::exchange());
      }
    });

/// Blocks for `sort_segments<Key, Most>`.
template <unsigned Most = 32>
constexpr auto sort_segments_grid(unsigned segments, source_location where = source_location::current()) {
  return tg::grid(sort_threads<Most> == 32 ? (segments + 7) / 8 : segments, where);
}

}  // namespace tg::kernels
