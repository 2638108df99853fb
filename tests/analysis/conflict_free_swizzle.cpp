#include <tg/analysis/conflict_free_swizzle.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "brute_force.hpp"

namespace {

using tg::analysis::swizzle_bits;

using square = tg::tile_of<float, 32, 32>;
using halves64 = tg::tile_of<short, 64, 64>;

/// Each lane two rows on: a pattern that a user writes.
struct every_second_row {
  static constexpr int lanes = 16;
  static constexpr int bytes(tg::tile_extents e) { return e.element_bytes; }
  static constexpr tg::tile_place at(int lane, tg::tile_extents) { return {lane * 2, 0}; }
};

template <class Layout> struct layout_numbers;
template <int Elems> struct layout_numbers<tg::pitch_t<Elems>> {
  static constexpr int pitch(int) { return Elems; }
  static constexpr swizzle_bits swizzle{};
};
template <int B, int M, int S> struct layout_numbers<tg::swizzle_t<B, M, S>> {
  static constexpr int pitch(int columns) { return columns; }
  static constexpr swizzle_bits swizzle{B, M, S};
};

/// Extra wavefronts of one pattern at its worst place, counted over sets of bytes; 1000 where a vector is not aligned.
int extra_wavefronts(const tg::analysis::tile_access& a, int pitch, swizzle_bits swizzle) {
  int height = 1, width = 1, worst = 0;
  for (unsigned l = 0; l < 32; ++l) {
    if ((a.active >> l & 1) == 0) continue;
    height = std::max(height, int(a.row[l]) + 1);
    width = std::max(width, int(a.col[l]) + a.access_bytes / a.elem_bytes);
  }
  height = int(std::bit_ceil(unsigned(height)));
  width = int(std::bit_ceil(unsigned(width)));
  for (int row = 0; row == 0 || row + height <= a.rows; row += height)
    for (int column = 0; column == 0 || column + width <= a.cols; column += width) {
      tg::analysis::request r{{}, a.active, a.access_bytes};
      for (unsigned l = 0; l < 32; ++l) {
        const auto first = (a.row[l] + row) * pitch + a.col[l] + column;
        r.address_bytes[l] = swizzle.apply(first) * a.elem_bytes;
        if ((a.active >> l & 1) == 0) continue;
        if (r.address_bytes[l] % a.access_bytes != 0) return 1000;
        for (int e = 1; e < a.access_bytes / a.elem_bytes; ++e)
          if (swizzle.apply(first + e) != swizzle.apply(first) + e) return 1000;
      }
      const auto cost = brute_force::count_shared(r);
      worst = std::max(worst, cost.wavefronts - cost.phases);
    }
  return worst;
}

int total(const std::vector<tg::analysis::tile_access>& accesses, int pitch, swizzle_bits swizzle) {
  int sum = 0;
  for (const auto& a : accesses) sum += extra_wavefronts(a, pitch, swizzle);
  return sum;
}

/// The fewest extra wavefronts that any pad up to 32 words or any swizzle inside the tile reaches.
int least_of_all(const std::vector<tg::analysis::tile_access>& accesses) {
  const auto& a = accesses.front();
  int least = total(accesses, a.cols, {});
  for (int pitch = a.cols; pitch <= a.cols + 128 / a.elem_bytes; ++pitch) least = std::min(least, total(accesses, pitch, {}));
  for (int bits = 1; bits <= 5; ++bits)
    for (int base = 0; base <= 6; ++base)
      for (int shift = bits; shift <= 8; ++shift)
        if (a.rows * a.cols % (1 << (base + shift + bits)) == 0)
          least = std::min(least, total(accesses, a.cols, {bits, base, shift}));
  return least;
}

/// The search found what its numbers say, and as much as there is.
template <class Tile, class... Accesses>
void check_search(bool exists) {
  using search = tg::layout_search<Tile, Accesses...>;
  using numbers = layout_numbers<typename search::layout>;
  constexpr auto extents = tg::extents_of<Tile>;
  const std::vector<tg::analysis::tile_access> accesses{tg::to_tile_access<Accesses>(extents)...};
  const int reached = total(accesses, numbers::pitch(extents.columns), numbers::swizzle);
  CAPTURE(extents.rows);
  CAPTURE(extents.columns);
  CAPTURE(extents.element_bytes);
  CHECK(search::exists == exists);
  CHECK((reached == 0) == exists);
  CHECK(reached == least_of_all(accesses));
  CHECK((total(accesses, extents.columns, {}) == 0) ==
        std::ranges::all_of(search::plain_ways, [](int ways) { return ways == 1; }));
}

template <class Layout, class Expected>
inline constexpr bool is = std::is_same_v<std::remove_cv_t<Layout>, Expected>;

}  // namespace

static_assert(is<decltype(tg::conflict_free_swizzle<square, tg::column_access<>>), tg::swizzle_t<5, 0, 5>>);
static_assert(is<decltype(tg::conflict_free_swizzle<square, tg::row_access<>>), tg::pitch_t<32>>);
static_assert(is<decltype(tg::conflict_free_swizzle<halves64, tg::matrix_access, tg::row_access<8>>), tg::swizzle_t<3, 3, 3>>);
static_assert(is<decltype(tg::conflict_free_swizzle<tg::tile_of<float, 33, 32>, tg::column_access<>>), tg::pitch_t<33>>);
static_assert(tg::layout_search<square, tg::column_access<>>::plain_ways[0] == 32);
static_assert(!tg::layout_search<square, tg::row_access<4>, tg::column_access<>>::exists);

TEST_CASE("one pattern in a tile of 32 x 32 floats") {
  check_search<square, tg::row_access<>>(true);
  check_search<square, tg::column_access<>>(true);
  check_search<square, tg::column_access<4>>(true);
  check_search<square, every_second_row>(true);
}

TEST_CASE("several patterns at once") {
  check_search<square, tg::row_access<>, tg::column_access<>>(true);
  check_search<square, tg::row_access<4>, tg::column_access<4>>(true);
  check_search<square, tg::row_access<4>, tg::fragment_access<1>, tg::matrix_access>(true);
  check_search<tg::tile_of<double, 32, 16>, tg::row_access<2>, tg::column_access<1>>(false);
  check_search<tg::tile_of<double, 32, 16>, tg::row_access<1>, tg::column_access<1>>(true);
  check_search<tg::tile_of<float, 24, 20>, tg::row_access<4>, tg::column_access<4>>(true);
}

TEST_CASE("tiles of 16-bit elements for ldmatrix and the stores of accumulators") {
  check_search<halves64, tg::matrix_access, tg::row_access<8>>(true);
  check_search<tg::tile_of<short, 32, 32>, tg::matrix_access, tg::row_access<8>>(true);
  check_search<halves64, tg::matrix_access, tg::row_access<8>, tg::fragment_access<2>>(true);
  check_search<tg::tile_of<short, 16, 128>, tg::matrix_access, tg::fragment_access<2>>(true);
}

TEST_CASE("where no layout serves all, the numbers of the best are given") {
  check_search<square, tg::row_access<4>, tg::column_access<>>(false);
  using search = tg::layout_search<square, tg::row_access<4>, tg::column_access<>>;
  CHECK(search::ways[0] == 1);
  CHECK(search::ways[1] == 4);
  CHECK(search::plain_ways[1] == 32);
}
