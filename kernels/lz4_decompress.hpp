// Decompression of independent LZ4 blocks, one warp each. A block is a line of sequences:
//
//   token       | length bytes | literals | distance    | length bytes
//   4 + 4 bits  | if 15        |          | 2 bytes, LE | if 15
//
// The upper half of a token is the number of literals, the lower half the length of a match less 4. A half of 15 goes on in
// length bytes, which are added up to the first that is not 255. The last sequence ends behind its literals.
// Source: LZ4 block format description, github.com/lz4/lz4, doc/lz4_Block_format.md.
#pragma once

#include <cstdint>

#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Sizes below 0 say why a block was not decompressed: its input ends inside of a sequence, what it stands for is longer than
/// its part of the output, or a match begins in front of the output.
inline constexpr int lz4_truncated = -1, lz4_no_room = -2, lz4_bad_distance = -3;

namespace detail {

/// The status of a block that is not at its end.
inline constexpr int lz4_goes_on = -4;

/// Reads bytes of one block by the 32 lanes of a warp.
template <class Warp, class Packed, class Begin, class Size> struct lz4_reader {
  const Warp& warp;
  const Packed& packed;
  const Begin& begin;
  const Size& size;

  /// Byte `at` + lane; 0 behind the end.
  template <class At> auto window(const At& at) const {
    tg::var<unsigned> out = 0u;
    const auto first = tg::assume_warp_uniform(at);
    tg::if_(first + warp.lane < size, [&] { out = tg::cast<unsigned>(packed(begin + first + warp.lane)); });
    return out.get();
  }
  /// Adds length bytes from `at` on to `length`, which stays below 2^31 + 2^14, and moves `at` behind them; behind the end of
  /// the block if that comes first.
  void add_length(tg::var<unsigned>& length, tg::var<unsigned>& at) const {
    tg::var<unsigned> goes_on = 1u;
    tg::while_([&] { return tg::assume_warp_uniform(goes_on) != 0u; },
               [&] {
                 const auto bytes = window(at);
                 const auto ends = tg::let(warp.ballot(bytes != 255u));
                 const auto full = tg::let(tg::trailing_zeros(ends));  // 32: all of them
                 const auto last = tg::let(warp.shuffle(bytes, full & 31u));
                 goes_on = tg::select(ends == 0u, 1u, 0u);
                 length = tg::min(length + full * 255u + tg::select(ends == 0u, 0u, last), 1u << 31);
                 at += full + 1u - goes_on;
               });
  }
};

template <class Warp, class Packed, class Begin, class Size>
lz4_reader(const Warp&, const Packed&, const Begin&, const Size&) -> lz4_reader<Warp, Packed, Begin, Size>;

/// Copies `length` bytes that begin `distance` in front of `to`. The bytes between repeat where there are fewer of them.
template <class Warp, class Out, class To, class Distance, class Length>
void copy_lz4_match(const Warp& warp, const Out& out, const To& to, const Distance& distance, const Length& length) {
  tg::var<unsigned> phase = warp.lane, step = 32u;
  tg::if_(distance <= 32u, [&] {
    phase = warp.lane % distance;
    step = 32u % distance;
  });
  const auto source = tg::let(to - distance);
  tg::for_(tg::range(warp.lane, length, 32_c), [&](auto i) {
    out(tg::scatter(to + i)) = out(tg::gather(source + phase));
    phase += step;
    phase = tg::select(phase >= distance, phase - distance, phase);
  });
}

}  // namespace detail

/// Decompresses LZ4 blocks: block b is packed(packed_begins(b)) and the packed_sizes(b) bytes from there on; out(offsets(b)) to
/// out(offsets(b + 1) - 1) have room for it. sizes(b): how many bytes it became, or a status below 0. A malformed block reads
/// its own bytes and writes its own part of `out` only. Bytes of that part behind the result stay; where the status is below
/// 0, those in front of the fault are written. The size and the limits of matches at the end of a block, which bind who
/// compresses, are not asked for. Launch with `lz4_decompress_grid(blocks)`.
/// Requires: the parts lie inside of the buffers; offsets ascend; a block has less than 2^31 bytes on each side. A packed size
/// below 0 is an empty input, which is truncated.
/// Cost: 32 bytes of input are loaded together for each sequence; a byte per lane and step is copied.
inline constexpr auto lz4_decompress = tg::kernel<"lz4_decompress">(
    tg::block<128>, [](auto block, tg::in<std::uint8_t> packed, tg::in<unsigned> packed_begins, tg::in<int> packed_sizes,
                       tg::inout<std::uint8_t> out, tg::in<unsigned> offsets, tg::out<int> sizes, tg::scalar<unsigned> blocks) {
      const auto warp = block.warp();
      const auto own = tg::let(block.index.x * 4_c + warp.index);
      tg::if_(own < blocks, [&] {
        const auto begin = tg::assume_warp_uniform(packed_begins(own));
        const auto size = tg::assume_warp_uniform(tg::cast<unsigned>(tg::max(packed_sizes(own), 0)));
        const auto first = tg::assume_warp_uniform(offsets(own));
        const auto room = tg::let(tg::assume_warp_uniform(offsets(own + 1u)) - first);
        const detail::lz4_reader reader{warp, packed, begin, size};
        tg::var<unsigned> read = 0u, written = 0u;
        tg::var<int> status = tg::select(size > 0u, detail::lz4_goes_on, lz4_truncated);
        const auto goes_on = [&] { return tg::assume_warp_uniform(status) == detail::lz4_goes_on; };
        tg::while_(goes_on, [&] {
          tg::var<unsigned> window = reader.window(read);
          const auto token = tg::assume_warp_uniform(warp.shuffle(window, 0u));
          const auto is_long = tg::let(token >= 0xf0u);
          tg::var<unsigned> literals = token >> 4u;
          read += 1u;
          tg::if_(is_long, [&] { reader.add_length(literals, read); });
          const auto copied = tg::assume_warp_uniform(literals), left = tg::assume_warp_uniform(size - read);
          const auto from = tg::let(begin + tg::assume_warp_uniform(read)), done = tg::assume_warp_uniform(written);
          const auto is_inside = tg::let(read <= size && copied <= left);
          status = tg::select(is_inside, tg::select(copied <= room - done, detail::lz4_goes_on, lz4_no_room), lz4_truncated);
          tg::if_(goes_on(), [&] {
            const auto to = tg::let(first + done);
            tg::if_(is_long, [&] {
              tg::for_(tg::range(warp.lane, copied, 32_c), [&](auto i) { out(to + i) = packed(from + i); });
            }).else_([&] {
              tg::if_(warp.lane >= 1u && warp.lane <= copied,
                      [&] { out(to + warp.lane - 1u) = tg::cast<std::uint8_t>(window); });
            });
            written += copied;
            read += copied;
            const auto has_match = tg::let(left - copied >= 2u);
            status =
                tg::select(copied == left, tg::cast<int>(written), tg::select(has_match, detail::lz4_goes_on, lz4_truncated));
          });
          tg::if_(goes_on(), [&] {
            tg::if_(is_long, [&] { window = reader.window(read); });
            const auto at = tg::let(tg::select(is_long, 0u, copied + 1u));
            const auto low = warp.shuffle(window, at), high = warp.shuffle(window, at + 1u);
            const auto distance = tg::assume_warp_uniform(low | high << 8u);
            read += 2u;
            tg::var<unsigned> length = token & 15u;
            tg::if_((token & 15u) == 15u, [&] { reader.add_length(length, read); });
            length += 4u;
            const auto matched = tg::assume_warp_uniform(length), before = tg::assume_warp_uniform(written);
            const auto is_there = tg::let(distance > 0u && distance <= before);
            status = tg::select(matched <= room - before, detail::lz4_goes_on, lz4_no_room);
            status = tg::select(is_there, status, lz4_bad_distance);
            status = tg::select(read <= size, status, lz4_truncated);
            tg::if_(goes_on(), [&] {
              warp.sync();  // what other lanes have written is there
              detail::copy_lz4_match(warp, out, first + before, distance, matched);
              written += matched;
              status = tg::select(read < size, detail::lz4_goes_on, lz4_truncated);
            });
          });
        });
        tg::if_(warp.lane == 0u, [&] { sizes(own) = status; });
      });
    });

/// Blocks for `lz4_decompress`.
constexpr auto lz4_decompress_grid(unsigned blocks, source_location where = source_location::current()) {
  return tg::grid((blocks + 3) / 4, where);
}

}  // namespace tg::kernels
