#include <tg/analysis/conflict_free_swizzle.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
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

// Exhaustive search once more, on numbers of its own, for pairs of patterns drawn at random.

struct drawn_pattern {
  std::array<int, 32> row{}, column{};
  int lanes = 32, elems = 1, height = 1, width = 1;
};

struct drawn_tile { int rows, columns, element_bytes; };

drawn_pattern draw(std::mt19937& random, const drawn_tile& t) {
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  drawn_pattern p;
  for (int tries = below(3); tries > 0; --tries)
    if (p.elems * 2 * t.element_bytes <= 16 && t.columns % (p.elems * 2) == 0) p.elems *= 2;
  const int kind = below(7), n = p.elems;
  const int step = 1 + below(4);
  if (kind == 2 || kind == 5) p.lanes = 8 << below(3);
  for (int l = 0; l < 32; ++l) {
    int &r = p.row[std::size_t(l)], &c = p.column[std::size_t(l)];
    if (kind == 0) r = l * n / t.columns, c = l * n % t.columns;         // along a row
    if (kind == 1) r = l % t.rows, c = l / t.rows * n;                   // down a column
    if (kind == 2) r = l * step, c = 0;                                  // every so many rows
    if (kind == 3) r = l / 4, c = l % 4 * n;                             // a fragment
    if (kind == 4) r = l % 4 * step, c = l / 4 * n;                      // a transposed fragment
    if (kind == 5) r = l / 8, c = l % 8 * n * step;                      // vectors apart
    if (kind == 6) r = l % 8, c = l / 8 * n;                             // eight rows, columns side by side
    if (l < p.lanes && (r >= t.rows || c + n > t.columns)) p.lanes = l;  // the rest stays away
  }
  for (int l = 0; l < p.lanes; ++l) {
    while (p.height <= p.row[std::size_t(l)]) p.height *= 2;
    while (p.width < p.column[std::size_t(l)] + n) p.width *= 2;
  }
  return p;
}

/// Passes through the banks beyond one for each group of lanes, at one place of the tile; 1000 where a vector is split or
/// not aligned.
int passes_too_many(const drawn_pattern& p, const drawn_tile& t, int pitch, int bits, int base, int shift, int at_row,
                    int at_column) {
  const auto moved = [&](int i) { return i ^ ((i >> shift) & (((1 << bits) - 1) << base)); };
  const int bytes = p.elems * t.element_bytes, group = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  int out = 0;
  for (int first = 0; first < p.lanes; first += group) {
    std::array<std::array<int, 40>, 32> words{};
    std::array<int, 32> count{};
    int most = 0;
    for (int l = first; l < std::min(first + group, p.lanes); ++l) {
      const int i = (p.row[std::size_t(l)] + at_row) * pitch + p.column[std::size_t(l)] + at_column;
      const int begin = moved(i) * t.element_bytes;
      if (begin % bytes != 0 || moved(i + p.elems - 1) != moved(i) + p.elems - 1) return 1000;
      for (int word = begin / 4; word <= (begin + bytes - 1) / 4; ++word) {
        auto& own = words[std::size_t(word % 32)];
        int& n = count[std::size_t(word % 32)];
        if (std::find(own.begin(), own.begin() + n, word) == own.begin() + n) own[std::size_t(n++)] = word;
        most = std::max(most, n);
      }
    }
    out += most - 1;
  }
  return out;
}

/// The worst over all places of both patterns, summed; `enough` where it is at least that.
int passes_too_many(const std::array<drawn_pattern, 2>& pair, const drawn_tile& t, int pitch, int bits, int base, int shift,
                    int enough) {
  int sum = 0;
  for (const drawn_pattern& p : pair) {
    int worst = 0;
    for (int r = 0; r == 0 || r + p.height <= t.rows; r += p.height)
      for (int c = 0; c == 0 || c + p.width <= t.columns; c += p.width) {
        worst = std::max(worst, passes_too_many(p, t, pitch, bits, base, shift, r, c));
        if (sum + worst >= enough) return enough;
      }
    sum += worst;
  }
  return sum;
}

/// Whether each vector of the tile, at whatever place of a row, stays aligned and in one piece.
bool keeps_vectors(const std::array<drawn_pattern, 2>& pair, const drawn_tile& t, int pitch, int bits, int base, int shift) {
  const auto moved = [&](int i) { return i ^ ((i >> shift) & (((1 << bits) - 1) << base)); };
  for (const drawn_pattern& p : pair)
    for (int r = 0; r < t.rows; ++r)
      for (int c = 0; c < t.columns; c += p.elems)
        if (moved(r * pitch + c) % p.elems != 0 || moved(r * pitch + c + p.elems - 1) != moved(r * pitch + c) + p.elems - 1)
          return false;
  return true;
}

int least_passes_too_many(const std::array<drawn_pattern, 2>& pair, const drawn_tile& t) {
  int least = 1 << 20;
  const auto attempt = [&](int pitch, int bits, int base, int shift) {
    const int own = least > 0 ? passes_too_many(pair, t, pitch, bits, base, shift, least) : least;
    if (own < least && keeps_vectors(pair, t, pitch, bits, base, shift)) least = own;
  };
  for (int pitch = t.columns; pitch <= t.columns + 128 / t.element_bytes; ++pitch) attempt(pitch, 0, 0, 0);
  for (int bits = 1; bits <= 5; ++bits)
    for (int base = 0; base <= 16; ++base)
      for (int shift = bits; base + shift + bits < 20; ++shift)
        if (t.rows * t.columns % (1 << (base + shift + bits)) == 0) attempt(t.columns, bits, base, shift);
  return least;
}

tg::detail::layout_trial<2> trial_of(const std::array<drawn_pattern, 2>& pair, const drawn_tile& t) {
  tg::fixed_array<tg::analysis::tile_access, 2> out;
  for (std::size_t i = 0; i < 2; ++i) {
    out[i].rows = t.rows;
    out[i].cols = t.columns;
    out[i].elem_bytes = t.element_bytes;
    out[i].access_bytes = pair[i].elems * t.element_bytes;
    out[i].active = 0;
    for (int l = 0; l < pair[i].lanes; ++l) {
      out[i].active |= 1u << l;
      out[i].row[std::size_t(l)] = pair[i].row[std::size_t(l)];
      out[i].col[std::size_t(l)] = pair[i].column[std::size_t(l)];
    }
  }
  return {{t.rows, t.columns, t.element_bytes}, out};
}

struct search_tally { int pairs = 0, solved = 0, swizzled = 0, wrong_existence = 0, wrong_cost = 0, wrong_layout = 0; };

search_tally search_pairs(int count, unsigned seed, int stages_left_out) {
  search_tally out;
  std::mt19937 random{seed};
  const auto of = [&](std::initializer_list<int> choices) { return choices.begin()[random() % choices.size()]; };
  while (out.pairs < count) {
    drawn_tile t{};
    t.rows = of({8, 12, 16, 24, 32, 33, 40, 48, 64});
    t.columns = of({8, 16, 20, 24, 24, 32, 32, 40, 40, 48, 48, 64, 96, 128});
    t.element_bytes = of({1, 2, 2, 4, 4, 4, 8});
    std::array<drawn_pattern, 2> pair;
    pair[0] = draw(random, t);
    pair[1] = draw(random, t);
    const auto trial = trial_of(pair, t);
    if (!trial.fits()) continue;
    ++out.pairs;
    auto found = trial.start();
    for (int n = 0; n < trial.stages() - stages_left_out; ++n) found = trial.improve(n, found);
    const int least = least_passes_too_many(pair, t);
    const auto& l = found.choice;
    out.solved += least == 0 ? 1 : 0;
    out.swizzled += least == 0 && l.swizzle.bits != 0 ? 1 : 0;
    out.wrong_existence += (found.extra_wavefronts == 0) != (least == 0) ? 1 : 0;
    out.wrong_cost += found.extra_wavefronts != least && least < 1000 ? 1 : 0;
    if (least < 1000 && passes_too_many(pair, t, l.pitch, l.swizzle.bits, l.swizzle.base, l.swizzle.shift, 1 << 20) != least)
      ++out.wrong_layout;
  }
  return out;
}

/// The search found what its numbers say, and as much as there is.
template <class Tile, class... Accesses> void check_search(bool exists) {
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

template <class Layout, class Expected> inline constexpr bool is = std::is_same_v<std::remove_cv_t<Layout>, Expected>;

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

TEST_CASE("the search agrees with an exhaustive one over random pairs of patterns") {
  const search_tally t = search_pairs(3000, 17, 0);
  MESSAGE(t.pairs, " pairs, ", t.solved, " with a layout, ", t.swizzled, " of these swizzled");
  CHECK(t.wrong_existence == 0);
  CHECK(t.wrong_cost == 0);
  CHECK(t.wrong_layout == 0);
  CHECK(t.solved > t.pairs / 4);
  CHECK(t.swizzled > t.pairs / 50);
  CHECK(t.solved < t.pairs);
}

TEST_CASE("a search that leaves layouts out is found") { CHECK(search_pairs(200, 18, 1).wrong_existence > 0); }

TEST_CASE("tiles whose columns are no power of two are swizzled too") {
  check_search<tg::tile_of<short, 64, 24>, tg::matrix_access, tg::row_access<8>>(true);
  check_search<tg::tile_of<short, 64, 40>, tg::matrix_access, tg::row_access<8>>(true);
  check_search<tg::tile_of<float, 32, 48>, tg::row_access<>, tg::fragment_access<1>>(true);
}
