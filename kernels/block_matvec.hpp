// y = W x, with W in quantised blocks of any format and x in float, for one vector or up to eight at once.
//
// A warp, or some warps, go along a row by 256 weights. The next 256 are under way while a warp multiplies those in its tiles:
// each lane makes floats of two runs of four neighbouring weights, and each weight meets all vectors.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include <kernels/block_parts.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

namespace detail {

/// Calls `multiply(part, is_end)` for each part of a row that this warp takes, with the part in its tiles. `share` of `shares`
/// warps for a row: this one. All lanes of a warp take part.
template <class Parts, class Warp, class Rows, class Row, class Share, class Shares, class Columns, class Tiles, class Multiply>
void along_blocks(const Warp& warp, const Rows& w, const Row& row, const Share& share, Shares shares, const Columns& columns,
                  const Tiles& tiles, const Multiply& multiply) {
  using parts = Parts;
  constexpr constant<parts::weights> step;
  constexpr constant<parts::unit> unit;
  constexpr constant<parts::units> units;
  const auto read = [&](const auto& part) {
    return parts::read(warp.lane,
                       [&](const auto& at) { return tg::vec_at<parts::unit>(w, row, (part * units + at) * unit).get(); });
  };
  const auto write = [&](const auto& all) { parts::write(all, warp.lane, tiles.heads, tiles.quants); };
  const auto whole = tg::let(columns / step);
  // All warps make the same turns, some of them for nothing at the end of a row.
  tg::if_(whole != 0u, [&] {
    const auto at = [&](const auto& turn) { return tg::min(turn * shares + share, whole - 1u); };
    write(read(at(0_c)));
    warp.sync();
    tg::for_(tg::range((whole + (shares - 1_c)) / shares), [&](auto turn) {
      const auto next = read(at(turn + 1u));
      if constexpr (shares == 1_c) multiply(turn, std::false_type{});
      else tg::if_(turn * shares + share < whole, [&] { multiply(turn * shares + share, std::false_type{}); });
      warp.sync();
      write(next);
      warp.sync();
    });
  });
  if constexpr (parts::blocks > 1) {
    tg::if_(columns % step != 0u, [&] {
      const auto last =
          tg::let(columns / constant<parts::weights / parts::blocks>{} * constant<parts::numbers / parts::unit>{} - 1u);
      write(parts::read(warp.lane, [&](const auto& at) {
        return tg::vec_at<parts::unit>(w, row, tg::min(whole * units + at, last) * unit).get();
      }));
      warp.sync();
      if constexpr (shares == 1_c) multiply(whole, std::true_type{});
      else tg::if_(whole % shares == share, [&] { multiply(whole, std::true_type{}); });
    });
  }
}

template <class Heads, class Quants> struct block_tiles {
  Heads heads;
  Quants quants;
};
template <class Heads, class Quants> block_tiles(const Heads&, const Quants&) -> block_tiles<Heads, Quants>;

/// Adds the products of this warp's parts of row `row` of w with `Vectors` rows of x to own(0), own(1), ... All lanes take
/// part.
template <class Format, unsigned Vectors, unsigned Warps, class Warp, class Rows, class Row, class X, class Columns,
          class Tiles, class Own>
void add_row_in_float(const Warp& warp, const Rows& w, const Row& row, const X& x, const Columns& columns, const Tiles& tiles,
                      Own& own) {
  constexpr constant<Warps> warps;
  along_blocks<block_parts<Format>>(warp, w, row, warp.index % warps, warps, columns, tiles,
                                    [&](const auto& part, auto is_end) {
                                      tg::unroll<2>([&](auto run) {
                                        const auto v = tg::let(warp.lane * 4_c + run * 128_c);
                                        const auto i = tg::let(part * 256_c + v);
                                        const auto weights = Format::read(tiles.heads, tiles.quants, v, warp);
                                        const auto add = [&] {
                                          tg::unroll<Vectors>([&](auto b) {
                                            const auto numbers = tg::vec_at<4>(x, b, i).get();
                                            tg::unroll<4>([&](auto k) { own(b) = tg::fma(weights(k), numbers(k), own(b)); });
                                          });
                                        };
                                        if constexpr (is_end.value) tg::if_(i < columns, add);
                                        else add();
                                      });
                                    });
}

/// Calls `put(b, sums...)` in one lane of each row, with the sums of each `own(b)` over the lanes of the `Warps` warps of a
/// row.
template <unsigned Vectors, unsigned Warps, class Block, class Row, class Rows, class Put, class... Own>
void put_sums(const Block& block, const Row& row, const Rows& rows, const Put& put, const Own&... own) {
  const auto warp = block.warp();
  if constexpr (Warps == 1) {
    tg::unroll<Vectors>([&](auto b) {
      const std::array sums{tg::value<float>(warp.sum(own(b)))...};
      tg::if_(warp.lane == 0u && row < rows, [&] { std::apply([&](const auto&... sum) { put(b, sum...); }, sums); });
    });
  } else {
    const auto all = tg::shared<float>(tg::shape<Vectors * sizeof...(Own), 8>);
    tg::unroll<Vectors>([&](auto b) {
      const std::array sums{tg::value<float>(warp.sum(own(b)))...};
      tg::unroll<sizeof...(Own)>([&](auto k) {
        tg::if_(warp.lane == 0u, [&] { all(b * constant<int(sizeof...(Own))>{} + k, warp.index) = sums[k.value]; });
      });
    });
    block.sync();
    tg::if_(warp.index % constant<Warps>{} == 0u && warp.lane == 0u && row < rows, [&] {
      tg::unroll<Vectors>([&](auto b) {
        const auto sum = [&](auto k) {
          const auto line = b * constant<int(sizeof...(Own))>{} + k;
          tg::var<float> total = all(line, warp.index);
          tg::unroll<Warps - 1>([&](auto w) { total += all(line, warp.index + w + 1_c); });
          return tg::let(total);
        };
        [&]<std::size_t... K>(std::index_sequence<K...>) {
          put(b, sum(constant<int(K)>{})...);
        }(std::index_sequence_for<Own...>());
      });
    });
  }
}

}  // namespace detail

/// y(b, r) = sum over j of weight j of row r times x(b, j), for `Vectors` rows b of x and y, 1 to 8. `Warps` warps for a
/// row: 1, 2, 4 or 8, for rows that are few and long. Launch with `block_matvec_grid<Warps>(rows)`.
/// Requires: columns is a multiple of `Format::values` and not 0; columns + 256 * Warps < 2^32.
/// Units: weights as `dequantize` makes them in float; sums in float.
/// Cost: reads w once, in units of `block_unit<Format>` 16-bit numbers.
template <class Format, unsigned Vectors = 1, unsigned Warps = 1>
inline constexpr auto block_matvec = tg::kernel<"block_matvec">(
    tg::block<256>, [](auto block, block_rows<Format> w, tg::in2<float, tg::multiple_of<4>> x, tg::out2<float> y,
                       tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::multiple_of<Format::values>> columns) {
      static_assert(Vectors >= 1 && Vectors <= 8, "block_matvec: 1 to 8 vectors");
      static_assert(Warps == 1 || Warps == 2 || Warps == 4 || Warps == 8, "block_matvec: 1, 2, 4 or 8 warps for a row");
      using parts = detail::block_parts<Format>;
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * constant<8 / Warps>{} + warp.index / constant<Warps>{});
      const auto heads = parts::heads();
      const auto quants = parts::quants();
      const detail::block_tiles tiles{tg::row(heads, warp.index), tg::row(quants, warp.index)};
      tg::regs<float, int(Vectors)> own = 0.0f;
      detail::add_row_in_float<Format, Vectors, Warps>(warp, w, tg::let(tg::min(row, rows - 1u)), x, columns, tiles, own);
      detail::put_sums<Vectors, Warps>(block, row, rows, [&](auto b, const auto& sum) { y(b, row) = sum; }, own);
    });

/// Blocks for `block_matvec`.
template <unsigned Warps = 1>
constexpr auto block_matvec_grid(unsigned rows, source_location where = source_location::current()) {
  static_assert(Warps == 1 || Warps == 2 || Warps == 4 || Warps == 8, "block_matvec_grid: 1, 2, 4 or 8 warps for a row");
  return tg::grid((rows + 8 / Warps - 1) / (8 / Warps), where);
}

}  // namespace tg::kernels
