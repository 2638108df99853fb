// Radix sort of keys and of keys with values: stable, 8 bits a pass, each of which reads and writes every element once. All
// digits are counted in one read before the first pass; in a pass, blocks learn by look-back where their keys go.
// Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
//
//   scratch   8 tickets | counts: 8 passes x 256 digits | states: passes x parts x 256 digits
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_scan.hpp>
#include <tg/dsl/block/for_each_index.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/bits.hpp>
#include <tg/dsl/warp/match.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Elements that a block of a pass takes, of so many bytes each.
constexpr unsigned radix_part(std::size_t element_bytes) { return 256 * (element_bytes > 4 ? 8 : 16); }
/// Blocks of a pass over n elements.
constexpr unsigned radix_blocks(unsigned n, std::size_t element_bytes) {
  return (n + radix_part(element_bytes) - 1) / radix_part(element_bytes);
}
/// Passes over the bits from `begin` to `end`.
constexpr unsigned radix_passes(unsigned begin, unsigned end) { return (end - begin + 7) / 8; }
/// 32-bit words of scratch memory for a sort of n elements by the bits from `begin` to `end`. `element_bytes`: those of the
/// larger of key and value.
constexpr std::size_t radix_scratch(unsigned n, std::size_t element_bytes, unsigned begin, unsigned end) {
  return 8 + 8 * 256 + std::size_t{256} * radix_passes(begin, end) * radix_blocks(n, element_bytes);
}

namespace detail {

inline constexpr unsigned radix_counts = 8, radix_states = 8 + 8 * 256;
inline constexpr unsigned digit_has_own = 1u << 30, digit_has_all = 2u << 30, digit_count = (1u << 30) - 1;

/// An unsigned word that is in order as the key is: -NaN, -infinity, ..., -0, +0, ..., infinity, NaN.
template <class Key, class X> auto ordered_bits(const X& key) {
  using word = std::conditional_t<sizeof(Key) == 4, unsigned, std::uint64_t>;
  using signed_word = std::conditional_t<sizeof(Key) == 4, int, std::int64_t>;
  constexpr word sign = word{1} << (8 * sizeof(Key) - 1);
  const auto bits = tg::let(tg::bit_cast<word>(tg::value<Key>(key)));
  if constexpr (std::is_floating_point_v<Key>)
    return tg::let(bits ^ (tg::bit_cast<word>(tg::bit_cast<signed_word>(bits) >> (8u * sizeof(Key) - 1u)) | sign));
  else if constexpr (std::is_signed_v<Key>) return tg::let(bits ^ sign);
  else return bits;
}
/// The 8 bits from `shift` on, less those that `mask` takes away.
template <class Key, class X, class S, class M> auto digit_of(const X& key, const S& shift, const M& mask) {
  return tg::let(tg::cast<unsigned>(ordered_bits<Key>(key) >> shift) & 255u & mask);
}

/// One pass over one part: `values` are none, or those that are read and those that are written.
template <class Key, class Value, class Block, class In, class Out, class Scratch, class N, class... Values>
void sort_part(const Block& block, const In& keys, const Out& sorted, const Scratch& scratch, const N& n, const N& pass,
               const N& shift, const N& mask, const Values&... values) {
  constexpr bool has_values = sizeof...(Values) != 0;
  constexpr std::size_t bytes = std::max(sizeof(Key), sizeof(Value));
  constexpr int steps = radix_part(bytes) / 256;
  const auto t = block.thread.x;
  const auto warp = block.warp();
  // starts(warp, digit): first how many keys with the digit the warp has had, then where its first one goes within the part.
  const auto starts = tg::shared<unsigned>(tg::shape<8, 256>);
  const auto targets = tg::shared<unsigned>(tg::shape<256>);
  const auto taken = tg::shared<unsigned>(tg::shape<1>);
  const auto staged = tg::shared<Key>(tg::shape<steps * 256>);
  const auto staged_values = tg::shared<Value>(tg::shape < has_values ? steps * 256 : 1 >);
  for (int w = 0; w < 8; ++w) starts(w, t) = 0u;
  tg::if_(t == 0u, [&] { taken(0_c) = tg::atomic_add(scratch(pass), 1u); });
  block.sync();
  const auto part = tg::assume_uniform(taken(0_c));
  const auto base = tg::let(part * constant<steps * 256>{});
  const auto first = tg::let(base + warp.index * constant<32 * steps>{} + warp.lane);

  tg::regs<Key, steps> own = Key(0);
  tg::regs<Value, steps> own_value = Value(0);
  tg::unroll<steps>([&](auto k) {
    const auto i = tg::let(first + constant<k.value * 32>{});
    tg::if_(i < n, [&] {
      own(k) = keys(i);
      if constexpr (has_values) own_value(k) = [](const auto& from, const auto&) -> const auto& { return from; }(values...)(i);
    });
  });
  // Which digit, 256 where no key is, and below it how many keys of the warp that have it come before.
  tg::regs<unsigned, steps> ranks = 0u;
  const auto below = tg::let((1u << warp.lane) - 1u);
  tg::unroll<steps>([&](auto k) {
    const auto is_there = tg::let(first + constant<k.value * 32>{} < n);
    const auto digit = digit_of<Key>(own(k), shift, mask);
    const auto marked = tg::let(tg::select(is_there, digit, 256u));
    const auto same = tg::let(tg::match_any(warp, marked));
    const auto leader = tg::let(tg::trailing_zeros(same));
    tg::var<unsigned> before = 0u;
    tg::if_(is_there && warp.lane == leader,
            [&] { before = tg::atomic_add(starts(warp.index, tg::scatter(digit)), tg::popcount(same)); });
    ranks(k) = (marked << 16u) + warp.shuffle(before, leader) + tg::popcount(same & below);
  });
  block.sync();

  // From here to the barrier thread t has digit t.
  tg::var<unsigned> total = 0u;
  for (int w = 0; w < 8; ++w) total += starts(w, t);
  const auto states = tg::let(radix_states + pass * block.grid.x * 256u);
  const auto publish = [&](unsigned state, const auto& count) {
    tg::atomic_store(scratch(states + part * 256u + t), count | state);
  };
  tg::if_(part != 0u, [&] { publish(digit_has_own, total); });
  const auto begin = block_scan_sum(block, total).before;
  tg::var<unsigned> next = begin;
  for (int w = 0; w < 8; ++w) {
    const auto count = tg::let(starts(w, t));
    starts(w, t) = next;
    next += count;
  }
  tg::var<unsigned> before = 0u, rest = part;
  tg::while_([&] { return rest > 0u; },
             [&] {
               const auto seen = tg::let(tg::atomic_load(scratch(tg::gather(states + (rest - 1u) * 256u + t))));
               tg::if_(seen != 0u, [&] {
                 before += seen & digit_count;
                 rest = tg::select(seen >= digit_has_all, 0u, rest - 1u);
               });
             });
  publish(digit_has_all, before + total);
  targets(t) = scratch(radix_counts + pass * 256u + t) + before - begin;
  block.sync();

  // Keys of one digit lie side by side in shared memory before they leave, so that warps write neighbours.
  tg::unroll<steps>([&](auto k) {
    tg::if_(ranks(k) < 256u << 16, [&] {
      const auto digit = tg::let(ranks(k) >> 16u & 255u);
      const auto place = tg::let(starts(warp.index, tg::gather(digit)) + (ranks(k) & 0xffffu));
      staged(tg::scatter(place)) = own(k);
      if constexpr (has_values) staged_values(tg::scatter(place)) = own_value(k);
    });
  });
  block.sync();
  tg::unroll<steps>([&](auto k) {
    const auto place = tg::let(t + constant<k.value * 256>{});
    tg::if_(base + place < n, [&] {
      const auto key = tg::let(staged(place));
      const auto to = tg::let(targets(tg::gather(digit_of<Key>(key, shift, mask))) + place);
      sorted(tg::scatter(to)) = key;
      if constexpr (has_values)
        [](const auto&, const auto& into) -> const auto& { return into; }(values...)(tg::scatter(to)) = staged_values(place);
    });
  });
}

}  // namespace detail

/// Makes `words` words of scratch memory 0. Launch with any number of blocks.
inline constexpr auto radix_clear =
    tg::kernel<"radix_clear">(tg::block<256>, [](auto block, tg::out<unsigned> scratch, tg::scalar<unsigned> words) {
      tg::for_(tg::range(block.global_index(), words, tg::let(block.grid.x * 256_c)), [&](auto i) { scratch(i) = 0u; });
    });

/// Counts the digits of all passes in one read: adds to the counts in `scratch`, which were 0. Launch with any number of
/// blocks.
template <class Key>
inline constexpr auto radix_digit_counts = tg::kernel<"radix_digit_counts">(
    tg::block<256>, [](auto block, tg::in<Key> keys, tg::inout<unsigned> scratch, tg::scalar<unsigned> n,
                       tg::scalar<unsigned> begin, tg::scalar<unsigned> end) {
      constexpr int most = sizeof(Key);
      const auto own = tg::shared<unsigned>(tg::shape<most, 256>);
      const auto t = block.thread.x;
      for (int p = 0; p < most; ++p) own(p, t) = 0u;
      block.sync();
      tg::for_each_index(block, n, [&](auto i) {
        const auto key = detail::ordered_bits<Key>(tg::let(keys(i)));
        tg::unroll<most>([&](auto p) {
          const auto shift = tg::let(begin + constant<8 * p.value>{});
          tg::if_(shift < end, [&] {
            const auto mask = tg::let((1u << tg::min(end - shift, 8u)) - 1u);
            tg::atomic_add(own(p, tg::scatter(tg::cast<unsigned>(key >> shift) & 255u & mask)), 1u);
          });
        });
      });
      block.sync();
      for (int p = 0; p < most; ++p) tg::atomic_add(scratch(detail::radix_counts + 256u * p + t), own(p, t));
    });

/// Counts become where the first key of each digit goes. Launch with a block for each pass.
inline constexpr auto radix_digit_starts =
    tg::kernel<"radix_digit_starts">(tg::block<256>, [](auto block, tg::inout<unsigned> scratch) {
      const auto at = tg::let(detail::radix_counts + block.index.x * 256u + block.thread.x);
      const auto own = tg::let(scratch(at));
      scratch(at) = block_scan_sum(block, own).before;
    });

/// Pass number `pass` of a sort of keys, by the bits from `shift` on that `mask` leaves. Launch with
/// `radix_blocks(n, sizeof(Key))` blocks. Requires: n < 2^30. See `radix_sort`.
template <class Key>
inline constexpr auto radix_pass = tg::kernel<"radix_pass">(
    tg::block<256>, [](auto block, tg::in<Key> keys, tg::out<Key> sorted, tg::inout<unsigned> scratch, tg::scalar<unsigned> n,
                       tg::scalar<unsigned> pass, tg::scalar<unsigned> shift, tg::scalar<unsigned> mask) {
      detail::sort_part<Key, Key>(block, keys, sorted, scratch, n, pass, shift, mask);
    });

/// As `radix_pass`, and values go where their keys go. Launch with `radix_blocks(n, the larger of their sizes)` blocks.
template <class Key, class Value>
inline constexpr auto radix_pass_of_pairs = tg::kernel<"radix_pass_of_pairs">(
    tg::block<256>, [](auto block, tg::in<Key> keys, tg::out<Key> sorted, tg::inout<unsigned> scratch, tg::scalar<unsigned> n,
                       tg::scalar<unsigned> pass, tg::scalar<unsigned> shift, tg::scalar<unsigned> mask, tg::in<Value> values,
                       tg::out<Value> sorted_values) {
      detail::sort_part<Key, Value>(block, keys, sorted, scratch, n, pass, shift, mask, values, sorted_values);
    });

namespace detail {

/// Counts, starts and all passes: `launch_pass(is_back, n, pass, shift, mask)` makes one, back from the second line where
/// `is_back`. Returns whether the result is in the second line.
template <class Key, std::size_t ElementBytes, class On, class Keys, class Scratch, class Pass>
bool sort_by_passes(On& on, const Keys& keys, Scratch& scratch, unsigned n, unsigned begin, unsigned end, Pass launch_pass) {
  if (n == 0 || begin >= end) return false;
  const unsigned passes = radix_passes(begin, end);
  const auto words = static_cast<unsigned>(radix_scratch(n, ElementBytes, begin, end));
  on.launch(radix_clear, tg::grid(std::min((words + 255) / 256, 1024u)), scratch, words);
  on.launch(radix_digit_counts<Key>, tg::grid(std::min(radix_blocks(n, sizeof(Key)), 1024u)), keys, scratch, n, begin, end);
  on.launch(radix_digit_starts, tg::grid(passes), scratch);
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned shift = begin + 8 * pass;
    launch_pass(pass % 2 != 0, pass, shift, (1u << std::min(end - shift, 8u)) - 1u);
  }
  return passes % 2 != 0;
}

}  // namespace detail

/// Sorts n keys in ascending order by their bits from `begin` to `end`, counted from the lowest; keys that agree in them keep
/// their order. Key: integers of 32 and 64 bits, float, double; floats lie as -NaN, -infinity, ..., -0, +0, ..., infinity, NaN.
/// `on`: a device or a stream. Both lines of keys are written; nothing is allocated and nothing is waited for.
/// Returns: true if the sorted keys are in `other`, false if they are in `keys`.
/// Requires: `scratch` has `radix_scratch(n, sizeof(Key), begin, end)` words, of any contents; n < 2^30.
/// Cost: a read of all keys, then a read and a write for each 8 bits.
template <class Key, class On, class Keys, class Scratch>
bool radix_sort(On& on, Keys& keys, Keys& other, Scratch& scratch, unsigned n, unsigned begin = 0,
                unsigned end = 8 * sizeof(Key)) {
  return detail::sort_by_passes<Key, sizeof(Key)>(
      on, keys, scratch, n, begin, end, [&](bool is_back, unsigned pass, unsigned shift, unsigned mask) {
        on.launch(radix_pass<Key>, tg::grid(radix_blocks(n, sizeof(Key))), is_back ? other : keys, is_back ? keys : other,
                  scratch, n, pass, shift, mask);
      });
}

/// As `radix_sort`, and values go where their keys go. Value: 4 or 8 bytes. Requires: `scratch` is as large as the larger of
/// their sizes asks for.
template <class Key, class Value, class On, class Keys, class Values, class Scratch>
bool radix_sort_pairs(On& on, Keys& keys, Keys& other, Values& values, Values& other_values, Scratch& scratch, unsigned n,
                      unsigned begin = 0, unsigned end = 8 * sizeof(Key)) {
  constexpr std::size_t bytes = std::max(sizeof(Key), sizeof(Value));
  return detail::sort_by_passes<Key, bytes>(on, keys, scratch, n, begin, end,
                                            [&](bool is_back, unsigned pass, unsigned shift, unsigned mask) {
                                              on.launch(radix_pass_of_pairs<Key, Value>, tg::grid(radix_blocks(n, bytes)),
                                                        is_back ? other : keys, is_back ? keys : other, scratch, n, pass, shift,
                                                        mask, is_back ? other_values : values, is_back ? values : other_values);
                                            });
}

}  // namespace tg::kernels
