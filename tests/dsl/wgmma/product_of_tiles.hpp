// Products of random matrices by wgmma on the emulator, and their oracle.
#pragma once

#include "../../f8_sums.hpp"
#include "../word.hpp"

#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>

namespace product_of_tiles {

using namespace tg::literals;
using tg::major;

/// What a product is made of. `Swizzle`: bytes of the tiles' rows, 16 for none.
template <int M, int N, int K, class TA, class TB, class Sum> struct shape {
  static constexpr int m = M, n = N, k = K;
  using a = TA;
  using b = TB;
  using sum = Sum;
};

template <class T> inline constexpr int bits = tg::mma_element<T>::bits;
template <class T>
using storage = std::conditional_t<bits<T> == 32, unsigned, std::conditional_t<bits<T> == 16, unsigned short, unsigned char>>;

/// The tile of an operand with `Lines` lines, and the place of each element in it.
template <class T, int Lines, int Depth, major Major, int RowBytes> struct tile_of {
  using word = storage<T>;
  static constexpr int rows = Major == major::k ? Lines : Depth;
  static constexpr int columns = RowBytes / int(sizeof(word));
  static constexpr int elements_of_row = RowBytes * 8 / bits<T>;
  static constexpr int chunks = (Major == major::k ? Depth : Lines) / elements_of_row;
  static constexpr int words = chunks * rows * columns;

  static auto make() {
    constexpr int base = sizeof(word) == 1 ? 4 : sizeof(word) == 2 ? 3 : 2;
    if constexpr (RowBytes == 16) return tg::shared<word>(tg::shape<chunks, rows, columns>);
    else
      return tg::shared<word>(tg::shape<chunks, rows, columns>,
                              tg::swizzle < RowBytes == 32 ? 1
                              : RowBytes == 64             ? 2
                                                           : 3,
                              base, 3 >);
  }
  /// Bit of the tile, rows one behind the other, at which an element begins.
  static std::size_t place(int line, int depth) {
    const int along = Major == major::k ? depth : line, row = Major == major::k ? line : depth;
    const int column = along % elements_of_row;
    return static_cast<std::size_t>(((along / elements_of_row * rows + row) * elements_of_row + column) * bits<T>);
  }
};

template <class T> constexpr bool is_integer = std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>;

/// A number that T holds, and its bits.
template <class T> std::pair<double, std::uint64_t> random_element() {
  static std::mt19937_64 random{random_seed()};
  const auto r = random();
  if constexpr (std::is_same_v<T, tg::b1>) return {static_cast<double>(r & 1), r & 1};
  else if constexpr (is_integer<T>) return {static_cast<double>(static_cast<T>(r)), r & 0xff};
  else {
    const auto own = T(static_cast<float>(static_cast<double>(r >> 11) * 0x1p-52 - 1));
    return {static_cast<double>(own), own.bits};
  }
}

template <class T> double sum_in(unsigned bits, int element) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(bits);
  else if constexpr (std::is_same_v<T, int>) return static_cast<std::int32_t>(bits);
  else return static_cast<double>(tg::f16::from_bits(static_cast<std::uint16_t>(bits >> (element % 2 * 16))));
}

struct matrix {
  int columns;
  std::vector<double> numbers;
  double operator()(int row, int column) const { return numbers[static_cast<std::size_t>(row * columns + column)]; }
};

/// Random numbers, and the words of the tile that holds them. `at(line, depth)` of the matrix is its row-major index.
template <class T, class Tile> void fill(matrix& m, int lines, int depth, std::vector<typename Tile::word>& words) {
  m = {depth, std::vector<double>(static_cast<std::size_t>(lines * depth))};
  words.assign(Tile::words, 0);
  for (int line = 0; line < lines; ++line)
    for (int k = 0; k < depth; ++k) {
      const auto [number, own] = random_element<T>();
      m.numbers[static_cast<std::size_t>(line * depth + k)] = number;
      const std::size_t at = Tile::place(line, k), width = sizeof(words[0]) * 8;
      words[at / width] = static_cast<typename Tile::word>(words[at / width] | own << at % width);
    }
}

/// Copies words to a tile of rank 3, all threads of the block together.
template <class Tile, class Block, class To, class From> void copy(const Block& block, const To& to, const From& from) {
  tg::for_(tg::range(block.thread.x, static_cast<unsigned>(Tile::words), 128_c), [&](auto i) {
    constexpr tg::constant<Tile::columns> columns{};
    constexpr tg::constant<Tile::rows> rows{};
    to(i / columns / rows, i / columns % rows, i % columns, tg::allow<tg::TG201>("a test")) = from(i);
  });
}

/// The largest error of a sum: products are exact, each addition rounds once. `all`: the sum of magnitudes.
template <class Shape> double bound(double all) {
  using Sum = typename Shape::sum;
  constexpr int depth = Shape::k;
  if constexpr (std::is_same_v<Sum, int>) return 0;
  else if constexpr (std::is_same_v<Sum, float> && sizeof(typename Shape::a) == 1)
    return all * ((depth + 1) * 0x1p-23 + error_of_f8_sums(depth));
  else if constexpr (std::is_same_v<Sum, float>) return all * (depth + 1) * 0x1p-23;
  else return all * (depth / 8 + 2) * 0x1p-10 + 0x1p-24;
}

/// Compares z, the registers of 128 threads, with the product.
template <class Shape, class Accumulator>
void compare(const matrix& a, const matrix& b, const std::vector<unsigned>& z, double factor = 1, double start = 0) {
  using Sum = typename Shape::sum;
  int wrong = 0;
  for (int t = 0; t < 128; ++t)
    for (int e = 0; e < Accumulator::elements; ++e) {
      const tg::matrix_place at = Accumulator::place(t, e);
      const int row = at.row, column = at.column;
      double sum = 0, all = std::fabs(start);
      for (int k = 0; k < Shape::k; ++k) {
        sum += a(row, k) * b(column, k);
        all += std::fabs(a(row, k) * b(column, k));
      }
      const double want = start + factor * sum;
      const double got = sum_in<Sum>(z[static_cast<std::size_t>(e / Accumulator::packed * 128 + t)], e);
      if (!(std::fabs(got - want) <= bound<Shape>(all)) && wrong++ < 3) {
        CAPTURE(row);
        CAPTURE(column);
        CHECK(got == want);
      }
    }
  CHECK(wrong == 0);
}

/// Both operands in shared memory. `products(sum, a, b)` gives the sums back.
template <class Shape, major MA, int RA, major MB, int RB, class Products>
void check_shared(Products products, double factor = 1, double start = 0) {
  using ta = tile_of<typename Shape::a, Shape::m, Shape::k, MA, RA>;
  using tb = tile_of<typename Shape::b, Shape::n, Shape::k, MB, RB>;
  using sums = tg::group_accumulator<Shape::m, Shape::n, typename Shape::sum>;
  const auto lowered = tg::lower(tg::kernel<"product">(
      tg::block<128>, [products](auto block, tg::in<typename ta::word> x, tg::in<typename tb::word> y, tg::out<unsigned> z) {
        const auto left = ta::make();
        const auto right = tb::make();
        copy<ta>(block, left, x);
        copy<tb>(block, right, y);
        tg::fence_async_proxy();
        block.sync();
        const auto as = [](const auto& tile, auto which, auto type) {
          using T = typename decltype(type)::type;
          if constexpr (decltype(which)::value == 0) return tg::k_major<T>(tile);
          else return tg::mn_major<T>(tile);
        };
        const sums done = products(as(left, tg::constant<int(MA)>{}, std::type_identity<typename Shape::a>{}),
                                   as(right, tg::constant<int(MB)>{}, std::type_identity<typename Shape::b>{}));
        for (int r = 0; r < sums::registers; ++r)
          z(block.thread.x + static_cast<unsigned>(128 * r)) = tg::bit_cast<unsigned>(done(r).get());
      }));
  INFO(lowered.ptx);
  CHECK(lowered.module.sm == 90);
  CHECK(lowered.module.target_suffix == "a");
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  matrix a, b;
  std::vector<typename ta::word> x;
  std::vector<typename tb::word> y;
  fill<typename Shape::a, ta>(a, Shape::m, Shape::k, x);
  fill<typename Shape::b, tb>(b, Shape::n, Shape::k, y);
  std::vector<unsigned> z(128 * sums::registers);
  word::launch(lowered.ptx, 1, x, y, z);
  compare<Shape, sums>(a, b, z, factor, start);
}

template <class Shape, major MA, int RA, major MB, int RB> void check_shared() {
  check_shared<Shape, MA, RA, MB, RB>([](auto a, auto b) {
    tg::group_accumulator<Shape::m, Shape::n, typename Shape::sum> sum;
    return tg::wgmma(std::move(sum), a, b, false).wait();
  });
}

/// A in registers.
template <class Shape, major MB, int RB> void check_registers() {
  using T = typename Shape::a;
  using tb = tile_of<typename Shape::b, Shape::n, Shape::k, MB, RB>;
  using fragment = tg::a_fragment<16, Shape::k, T>;
  using sums = tg::group_accumulator<Shape::m, Shape::n, typename Shape::sum>;
  const auto lowered = tg::lower(tg::kernel<"product">(
      tg::block<128>, [](auto block, tg::in<unsigned> x, tg::in<typename tb::word> y, tg::out<unsigned> z) {
        const auto right = tb::make();
        copy<tb>(block, right, y);
        tg::fence_async_proxy();
        block.sync();
        auto left = fragment::unfilled();
        for (int r = 0; r < fragment::registers; ++r)
          left.parts.parts[static_cast<std::size_t>(r)] = x(block.thread.x + static_cast<unsigned>(128 * r)).get().operand;
        const auto b = [&] {
          if constexpr (MB == major::k) return tg::k_major<typename Shape::b>(right);
          else return tg::mn_major<typename Shape::b>(right);
        }();
        sums sum;
        const auto done = tg::wgmma(std::move(sum), left, b, false).wait();
        for (int r = 0; r < sums::registers; ++r)
          z(block.thread.x + static_cast<unsigned>(128 * r)) = tg::bit_cast<unsigned>(done(r).get());
      }));
  INFO(lowered.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  matrix a{Shape::k, std::vector<double>(static_cast<std::size_t>(64 * Shape::k))}, b;
  std::vector<unsigned> x(128 * fragment::registers), z(128 * sums::registers);
  for (int t = 0; t < 128; ++t)
    for (int e = 0; e < fragment::elements; ++e) {
      const auto [row, depth] = fragment::place(t % 32, e);
      const auto [number, own] = random_element<T>();
      a.numbers[static_cast<std::size_t>((row + t / 32 * 16) * Shape::k + depth)] = number;
      x[static_cast<std::size_t>(e / fragment::packed * 128 + t)] |=
          static_cast<unsigned>(own << e % fragment::packed * (32 / fragment::packed));
    }
  std::vector<typename tb::word> y;
  fill<typename Shape::b, tb>(b, Shape::n, Shape::k, y);
  word::launch(lowered.ptx, 1, x, y, z);
  compare<Shape, sums>(a, b, z);
}

}  // namespace product_of_tiles
