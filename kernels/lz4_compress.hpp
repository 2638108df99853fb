// Compression of independent lines into LZ4 blocks, a warp each. The lanes look at 32 neighbouring places together: each
// knows the nearest place in front of its own whose four bytes have the hash of its own, from the lanes below it or from a
// table in shared memory. The first place with a match is taken, the lanes find together how long it is, and the next 32
// places begin behind it.
//
//   base        start                    next base
//   |l0|l1|l2|...|lk = first match|......|l0|l1|...
//
// lz4_decompress.hpp has the format. Its limits: the last five bytes are literals, and the last match begins at least twelve
// bytes in front of the end. Source: LZ4 block format description, github.com/lz4/lz4, doc/lz4_Block_format.md.
#pragma once

#include <cstdint>

#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/dsl/warp/match.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// How many bytes a line of n bytes becomes at most. Requires: n < 2^31 - 2^23.
constexpr unsigned lz4_bound(unsigned n) { return n + n / 255 + 16; }

namespace detail {

/// Bytes of a match at least; bytes behind the last match at least; bytes from its begin to the end at least.
inline constexpr unsigned lz4_least_match = 4, lz4_last_literals = 5, lz4_last_match = 12;
/// Hashes of four bytes: log2 of how many there are.
inline constexpr int lz4_hash_bits = 12;

/// Writes an LZ4 block by the 32 lanes of a warp.
template <class Warp, class X, class Begin, class Packed> struct lz4_writer {
  const Warp& warp;
  const X& x;
  const Begin& begin;
  const Packed& packed;
  tg::var<unsigned> at;  // in the output

  /// Length bytes for what is left of a length behind the 15 of its token.
  template <class Rest> void add_length(const Rest& rest) {
    const auto full = tg::let(rest / 255_c);
    const auto to = tg::assume_warp_uniform(at);
    tg::for_(tg::range(warp.lane, full + 1u, 32_c),
             [&](auto i) { packed(to + i) = tg::cast<std::uint8_t>(tg::select(i < full, 255u, rest - full * 255u)); });
    at += full + 1u;
  }
  /// A token and `count` literals from x(from) on. `low`: the token's half for the match.
  template <class From, class Count, class Low> void add_literals(const From& from, const Count& count, const Low& low) {
    const auto first = tg::assume_warp_uniform(at);
    tg::if_(warp.lane == 0u, [&] { packed(first) = tg::cast<std::uint8_t>(tg::min(count, 15u) << 4u | low); });
    at += 1u;
    tg::if_(count >= 15u, [&] { add_length(count - 15u); });
    const auto to = tg::assume_warp_uniform(at);
    tg::for_(tg::range(warp.lane, count, 32_c), [&](auto i) { packed(to + i) = x(begin + from + i); });
    at += count;
  }
  /// A match behind its literals. `rest`: its length less 4.
  template <class Distance, class Rest> void add_match(const Distance& distance, const Rest& rest) {
    const auto to = tg::assume_warp_uniform(at);
    tg::if_(warp.lane < 2u, [&] { packed(to + warp.lane) = tg::cast<std::uint8_t>(distance >> (warp.lane * 8_c)); });
    at += 2u;
    tg::if_(rest >= 15u, [&] { add_length(rest - 15u); });
  }
};

template <class Warp, class X, class Begin, class Packed>
lz4_writer(const Warp&, const X&, const Begin&, const Packed&, tg::var<unsigned>) -> lz4_writer<Warp, X, Begin, Packed>;

/// The four bytes from byte i of a line on, the first one lowest. Requires: at least eight bytes from there on.
template <class X, class I> auto lz4_word(const X& x, const I& i) {
  const auto even = tg::let(i & ~3u);
  const auto word = [&](const auto& at) { return tg::let(tg::bit_cast<unsigned>(x.template vec<4>(tg::gather<4>(at)))(0_c)); };
  return tg::let(tg::funnel_shift_right(word(even + 4u), word(even), (i & 3u) * 8u));
}

/// How many bytes the match of x(begin + start) and what lies `distance` in front of it has, of n bytes of the line. Its first
/// four are known to be equal.
template <class Warp, class X, class Begin, class Start, class Distance, class N>
auto lz4_match_length(const Warp& warp, const X& x, const Begin& begin, const Start& start, const Distance& distance,
                      const N& n) {
  tg::var<unsigned> length = lz4_least_match, goes_on = 1u;
  tg::while_([&] { return tg::assume_warp_uniform(goes_on) != 0u; },
             [&] {
               const auto at = tg::let(tg::assume_warp_uniform(start + length) + warp.lane);
               tg::var<bool> is_equal = false;
               tg::if_(at + lz4_last_literals < n,
                       [&] { is_equal = x(tg::gather(begin + at)) == x(tg::gather(begin + at - distance)); });
               const auto ends = tg::let(warp.ballot(!is_equal));
               length += tg::trailing_zeros(ends);
               goes_on = tg::select(ends == 0u, 1u, 0u);
             });
  return tg::assume_warp_uniform(length);
}

}  // namespace detail

/// Compresses lines: x(offsets(b)) to x(offsets(b + 1) - 1) become an LZ4 block from packed(packed_begins(b)) on;
/// packed_sizes(b): how many bytes it has, `lz4_bound` of the line's at most. Launch with `tg::grid(blocks)`. The bytes are the
/// same in each launch.
/// Requires: offsets ascend; packed has room for the bound of each line; a line has less than 2^31 - 2^23 bytes.
/// Cost: 8 KiB of shared memory for the places of 4096 hashes; a step of 32 places, or a match, loads its bytes once or twice.
inline constexpr auto lz4_compress = tg::kernel<"lz4_compress">(
    tg::block<32>, [](auto block, tg::in<std::uint8_t> x, tg::in<unsigned> offsets, tg::out<std::uint8_t> packed,
                      tg::in<unsigned> packed_begins, tg::out<int> packed_sizes) {
      constexpr int hashes = 1 << detail::lz4_hash_bits;
      const auto warp = block.warp();
      const auto own = block.index.x;
      const auto begin = tg::assume_uniform(offsets(own));
      const auto n = tg::let(tg::assume_uniform(offsets(own + 1u)) - begin);
      const auto first = tg::assume_uniform(packed_begins(own));
      // The lower half of the last place of each hash. A place that is out of date is found out by its bytes.
      const auto table = tg::shared<std::uint16_t>(tg::shape<hashes>);
      const tg::regs<std::uint16_t, 8> none = std::uint16_t{0};
      tg::unroll<hashes / 256>([&](auto k) { table.template vec<8>(warp.lane * 8_c + k * 256_c) = none.template vec<8>(0_c); });
      warp.sync();

      detail::lz4_writer writer{warp, x, begin, packed, tg::var<unsigned>(first)};
      tg::var<unsigned> base = 0u, written = 0u;
      tg::while_(
          [&] { return tg::assume_warp_uniform(base) + detail::lz4_last_match <= n; },
          [&] {
            const auto here = tg::assume_warp_uniform(base);
            const auto place = tg::let(here + warp.lane);
            const auto is_place = tg::let(place + detail::lz4_last_match <= n);
            tg::var<unsigned> word = 0u, distance = 0u;
            tg::if_(is_place, [&] { word = detail::lz4_word(x, tg::let(begin + place)); });
            const auto hash = tg::let(word * 2654435761u >> unsigned(32 - detail::lz4_hash_bits));
            const auto alike = tg::let(tg::match_any(warp, tg::select(is_place, hash, unsigned(hashes))));
            const auto below = tg::let(alike & ((1u << warp.lane) - 1u));
            const auto tabled = tg::let((place - tg::cast<unsigned>(table(tg::gather(hash)))) & 0xffffu);
            distance = tg::select(below != 0u, warp.lane + tg::leading_zeros(below) - 31u, tabled);
            tg::var<bool> is_match = false;
            tg::if_(is_place && distance > 0u && distance <= place,
                    [&] { is_match = detail::lz4_word(x, tg::let(begin + place - distance)) == word; });
            const auto found = tg::assume_warp_uniform(warp.ballot(is_match));
            tg::var<unsigned> next = here + 32u;
            tg::if_(found != 0u, [&] {
              const auto lane = tg::let(tg::trailing_zeros(found));
              const auto back = tg::assume_warp_uniform(warp.shuffle(distance, lane));
              const auto start = tg::let(here + lane);
              const auto rest = tg::let(detail::lz4_match_length(warp, x, begin, start, back, n) - detail::lz4_least_match);
              const auto from = tg::assume_warp_uniform(written);
              writer.add_literals(from, tg::let(start - from), tg::min(rest, 15u));
              writer.add_match(back, rest);
              next = start + rest + detail::lz4_least_match;
              written = next;
            });
            // The last of the places that have one hash and lie in front of the next is noted.
            warp.sync();
            const auto noted = tg::let(alike & 0xffffffffu >> (32u - tg::min(next - here, 32u)));
            tg::if_(is_place && noted >> warp.lane == 1u, [&] { table(tg::scatter(hash)) = tg::cast<std::uint16_t>(place); });
            warp.sync();
            base = next;
          });
      const auto from = tg::assume_warp_uniform(written);
      writer.add_literals(from, tg::let(n - from), 0u);
      tg::if_(warp.lane == 0u, [&] { packed_sizes(own) = tg::cast<int>(writer.at - first); });
    });

}  // namespace tg::kernels
