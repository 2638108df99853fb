// Some blocks, as a warp has them in shared memory: the step of kernels that go along rows of quantised weights.
//
// Blocks move in units of 2, 4, 8 or 16 bytes, the largest that divides a block. Neighbouring lanes read neighbouring units.
// Heads of blocks and quants lie in two tiles, because heads in between would shift quants into each other's banks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <kernels/block_formats.hpp>
#include <tg/dsl/memory/subview.hpp>

namespace tg::kernels {

/// The 16-bit numbers of a unit, in which blocks are read: 1, 2, 4 or 8.
template <class Format>
inline constexpr unsigned block_unit = [] {
  constexpr unsigned numbers = Format::bytes / 2, largest = numbers & (~numbers + 1);
  return largest < 8 ? largest : 8u;
}();

/// Rows of weights as bytes of blocks, in 16-bit numbers: a row of n weights has `block_numbers<Format>(n)` of them, and begins
/// at a multiple of a unit.
template <class Format> using block_rows = tg::in2<std::uint16_t, tg::multiple_of<block_unit<Format>>>;

/// How many 16-bit numbers n weights have. Requires: a multiple of `Format::values`.
template <class Format> constexpr unsigned block_numbers(unsigned n) { return n / Format::values * (Format::bytes / 2); }

namespace detail {

/// Moves parts of `Weights` weights from rows to the tiles of a warp, of eight in a block.
template <class Format, unsigned Weights = 256> class block_parts {
 public:
  static constexpr unsigned weights = Weights, blocks = Weights / Format::values;
  static constexpr unsigned numbers = Format::bytes / 2, span = blocks * numbers;
  static constexpr unsigned unit = block_unit<Format>, units = span / unit, rounds = (units + 31) / 32;
  /// In the tile of quants, blocks of 256 weights begin at multiples of 8 bytes.
  static constexpr unsigned block_pitch = Format::values == 256 ? (Format::rest + 3) / 4 * 4 : Format::rest;
  static constexpr unsigned heads_pitch = (blocks * Format::head + 7) / 8 * 8 + 8;
  static constexpr unsigned quants_pitch = (blocks * block_pitch + 7) / 8 * 8;

  /// Units of a part in registers.
  using read_units = tg::fixed_array<tg::vec<std::uint16_t, int(unit)>, rounds>;

  static auto heads() { return tg::shared<std::uint16_t>(tg::shape<8, heads_pitch>); }
  static auto quants() { return tg::shared<std::uint16_t>(tg::shape<8, quants_pitch>); }

  /// Reads a part: `unit_at(number)` is the unit of this number in the part.
  template <class Lane, class F> static read_units read(const Lane& lane, const F& unit_at) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      const auto own = [&](auto k) {
        // In the last round, lanes without a unit have the last one.
        if constexpr ((k.value + 1) * 32 <= int(units)) return unit_at(lane + k * 32_c);
        else return unit_at(tg::min(lane + k * 32_c, constant<units - 1>{}));
      };
      return read_units{own(constant<int(K)>{})...};
    }(std::make_index_sequence<rounds>());
  }
  /// Writes a part to the tiles.
  template <class Lane, class Heads, class Quants>
  static void write(const read_units& read, const Lane& lane, const Heads& heads, const Quants& quants) {
    tg::unroll<rounds>([&](auto k) {
      const auto at = tg::let(lane + k * 32_c);
      const auto& own = read[k.value];
      const auto move = [&] {
        const auto block = at / constant<numbers / unit>{};
        const auto within = at % constant<numbers / unit>{} * constant<unit>{};
        if constexpr (Format::head == 0 && (blocks == 1 || block_pitch == numbers)) {
          tg::vec_at<unit>(quants, at * constant<unit>{}) = own;
        } else if constexpr (Format::head == 0) {
          tg::vec_at<unit>(quants, block * constant<block_pitch>{} + within) = own;
        } else {
          tg::if_(within < constant<Format::head>{}, [&] {
            tg::vec_at<unit>(heads, block * constant<Format::head>{} + within) = own;
          }).else_([&] {
            tg::vec_at<unit>(quants, block * constant<block_pitch>{} + (within - constant<Format::head>{})) = own;
          });
        }
      };
      if constexpr ((k.value + 1) * 32 <= int(units)) move();
      else tg::if_(at < constant<units>{}, move);
    });
  }
};

}  // namespace detail

}  // namespace tg::kernels
