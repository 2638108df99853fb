// Histograms: each block counts into bins of its own in shared memory, then adds them to those of the grid.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/dsl/block/for_each_index.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// A tile of counts, all 0.
template <class Block, class N> auto clear_bins(const Block& block, const N& count) {
  auto own = tg::shared<unsigned>(count);
  tg::for_(tg::range(block.thread.x, count, 256_c), [&](auto b) { own(b) = 0u; });
  block.sync();
  return own;
}
/// Adds the counts of a block to those of the grid.
template <class Block, class Tile, class Bins, class N>
void add_bins(const Block& block, const Tile& own, const Bins& bins, const N& count) {
  block.sync();
  tg::for_(tg::range(block.thread.x, count, 256_c), [&](auto b) {
    const auto found = tg::let(own(b));
    tg::if_(found != 0u, [&] { tg::atomic_add(bins(b), found); });
  });
}

}  // namespace detail

/// Adds to bins(v) how many of n bytes are v, for the 256 values of a byte. Launch with any number of blocks; as many as fill
/// the machine are best. Cost: 16 bytes a load, an atomic in shared memory for each byte.
/// Requires: n + 16 * threads of the grid < 2^32.
inline constexpr auto byte_histogram = tg::kernel<"byte_histogram">(
    tg::block<256>, [](auto block, tg::in<std::uint8_t> x, tg::inout<unsigned> bins, tg::scalar<unsigned> n) {
      const auto own = tg::shared<unsigned>(tg::shape<256>);
      const auto t = block.thread.x;
      own(t) = 0u;
      block.sync();
      const auto count = [&](const auto& byte) { tg::atomic_add(own(tg::scatter(tg::cast<unsigned>(byte))), 1u); };
      const auto threads = tg::let(block.grid.x * block.size.x);
      tg::for_(tg::range(block.global_index(), n / 16_c, threads), [&](auto i) {
        const auto bytes = x.vec<16>(i * 16_c);
        tg::unroll<16>([&](auto c) { count(bytes(c)); });
      });
      const auto rest = tg::let(n / 16_c * 16_c + block.global_index());
      tg::if_(rest < n, [&] { count(x(rest)); });
      block.sync();
      const auto found = tg::let(own(t));
      tg::if_(found != 0u, [&] { tg::atomic_add(bins(t), found); });
    });

/// Adds to bins(b) how many of n keys are in [low + b * width, low + (b + 1) * width), for `count` bins; keys outside of all
/// bins are counted nowhere. Launch with any number of blocks; those of a launch ask for 4 * count bytes of shared memory each.
/// T: integers and floats of 32 bits. Floats are placed by floor((x - low) / width) as floats; NaN is outside.
/// Requires: width > 0; n + threads of the grid < 2^32; of integers: high = low + count * width - 1 is one.
template <class T>
inline constexpr auto range_histogram =
    tg::kernel<"range_histogram">(tg::block<256>, [](auto block, tg::in<T> x, tg::inout<unsigned> bins, tg::scalar<T> low,
                                                     tg::scalar<T> width, tg::scalar<unsigned> count, tg::scalar<unsigned> n) {
      const auto own = detail::clear_bins(block, count);
      tg::for_each_index(block, n, [&](auto i) {
        const auto key = tg::let(x(i));
        if constexpr (std::is_floating_point_v<T>) {
          const auto at = tg::let(tg::floor((key - low) / width));
          tg::if_(at >= 0.0f && at < tg::cast<float>(count),
                  [&] { tg::atomic_add(own(tg::scatter(tg::cast<unsigned>(at))), 1u); });
        } else {
          // The difference of two integers in order is right as an unsigned number, even where it overflows a signed one.
          const auto at = tg::let((tg::bit_cast<unsigned>(key) - tg::bit_cast<unsigned>(low)) / tg::bit_cast<unsigned>(width));
          tg::if_(key >= low && at < count, [&] { tg::atomic_add(own(tg::scatter(at)), 1u); });
        }
      });
      detail::add_bins(block, own, bins, count);
    });

}  // namespace tg::kernels
