// Histogram equalisation of grey pictures of bytes: samples become other ones, in their order, so that each value is about as
// frequent as any other. A count of bytes (histogram.hpp), a table of what each becomes, and its application.
#pragma once

#include <algorithm>
#include <cstdint>

#include <kernels/histogram.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/block/block_scan.hpp>

namespace tg::kernels {

/// table(v): what byte v becomes, from bins(v), how many bytes are v: the number of bytes up to v without those of the smallest
/// value that there is, times 255 / (all bytes without those), rounded to nearest, ties to even. Where there is one value only
/// it stays. Floats are computed as OpenCV's equalizeHist does, so that the bytes are the same. Then bins(v) is 0. Launch with
/// one block. Requires: the sum of all bins is above 0 and below 2^31.
/// Source of the formula: OpenCV 4, modules/imgproc/src/histogram.cpp.
inline constexpr auto equalize_table =
    tg::kernel<"equalize_table">(tg::block<256>, [](auto block, tg::inout<unsigned> bins, tg::out<std::uint8_t> table) {
      const auto v = block.thread.x;
      const auto sums = tg::block_scan_sum(block, tg::let(bins(v)));
      const auto least = tg::let(tg::block_min(block, tg::select(sums.through == 0u, ~0u, sums.through)));
      // Bytes below the smallest do not occur.
      const auto above = tg::let(tg::max(sums.through, least) - least);
      const auto scale = tg::let(255.0f / tg::cast<float>(sums.total - least));
      const auto spread = tg::cast<std::uint8_t>(tg::round_even(tg::cast<float>(above) * scale));
      table(v) = tg::select(sums.total == least, tg::cast<std::uint8_t>(v), spread);
      bins(v) = 0u;
    });

/// y(i) = table(x(i)) for n bytes and a table of 256. Launch with any number of blocks; as many as fill the machine are best.
/// Cost: 16 bytes a load and a store. The table is in shared memory, where 64 words meet in each bank twice at most.
/// Requires: n + 16 * threads of the grid < 2^32.
inline constexpr auto map_bytes = tg::kernel<"map_bytes">(
    tg::block<256>,
    [](auto block, tg::in<std::uint8_t> x, tg::in<std::uint8_t> table, tg::out<std::uint8_t> y, tg::scalar<unsigned> n) {
      const auto own = tg::shared<std::uint8_t>(tg::shape<256>);
      own(block.thread.x) = table(block.thread.x);
      block.sync();
      const auto mapped = [&](const auto& byte) { return tg::let(own(tg::gather(tg::cast<unsigned>(byte)))); };
      const auto threads = tg::let(block.grid.x * block.size.x);
      tg::for_(tg::range(block.global_index(), n / 16_c, threads),
               [&](auto i) { y.vec<16>(i * 16_c) = tg::map(mapped, x.vec<16>(i * 16_c)); });
      const auto rest = tg::let(n / 16_c * 16_c + block.global_index());
      tg::if_(rest < n, [&] { y(rest) = mapped(x(rest)); });
    });

/// Blocks for `byte_histogram` and `map_bytes` of n bytes: 64 bytes a thread, 1024 blocks at most.
constexpr unsigned equalize_blocks(unsigned n) { return std::clamp((n + 16383) / 16384, 1u, 1024u); }

/// Equalises a picture of n bytes without gaps, x, into y, another buffer. `on`: a device or a stream. Nothing is allocated and
/// nothing is waited for. `bins` has 256 words, 0 before the first picture and so after each; `table` has 256 bytes, of any
/// contents. Requires: 0 < n < 2^31.
/// Cost: two reads and a write of the picture.
template <class On, class X, class Y, class Bins, class Table>
void equalize(On& on, const X& x, Y& y, Bins& bins, Table& table, unsigned n) {
  on.launch(byte_histogram, tg::grid(equalize_blocks(n)), x, bins, n);
  on.launch(equalize_table, tg::grid(1), bins, table);
  on.launch(map_bytes, tg::grid(equalize_blocks(n)), x, table, y, n);
}

}  // namespace tg::kernels
