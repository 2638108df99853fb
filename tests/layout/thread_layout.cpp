#include <tg/layout/thread_layout.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "../random_seed.hpp"

namespace {

using tg::extent_bits;
using tg::thread_layout;

/// 64 x 64 over four warps: 2 x 4 for each thread, 4 x 8 lanes, 2 x 2 warps, four times below each other.
constexpr thread_layout blocked = tg::make_blocked_layout({6, 6}, {1, 2}, {2, 3}, {1, 1});

template <class Body> void for_all(const thread_layout& l, Body body) {
  for (int w = 0; w < 1 << l.warp_bits; ++w)
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < l.registers(); ++r) body(r, lane, w, l.at(r, lane, w));
}

/// Where an element of a blocked layout is, by division.
tg::tile_element blocked_at(extent_bits tile, extent_bits own, extent_bits lanes, extent_bits warps, int r, int lane, int w) {
  const auto place = [&](int extent, int own_extent, int own_number, int lane_extent, int lane_number, int warp_extent,
                         int warp_number, int repeat) {
    const int all = ((repeat * warp_extent + warp_number) * lane_extent + lane_number) * own_extent + own_number;
    return all % extent;
  };
  const int rows = 1 << tile.rows, columns = 1 << tile.columns;
  const int own_rows = std::min(1 << own.rows, rows), own_columns = std::min(1 << own.columns, columns);
  const int across = std::max(1, columns / (own_columns << lanes.columns << warps.columns));
  const int repeat = r / (own_rows * own_columns), number = r % (own_rows * own_columns);
  return {place(rows, own_rows, number / own_columns, 1 << lanes.rows, lane >> lanes.columns, 1 << warps.rows,
                w >> warps.columns, repeat / across),
          place(columns, own_columns, number % own_columns, 1 << lanes.columns, lane & ((1 << lanes.columns) - 1),
                1 << warps.columns, w & ((1 << warps.columns) - 1), repeat % across)};
}

}  // namespace

static_assert(blocked.registers() == 8 * 4 && blocked.rows() == 64 && blocked.columns() == 64 && blocked.run() == 4);
static_assert(blocked.at(5, 9, 2) == tg::tile_element{8 + 2 + 1, 4 + 1});
static_assert(blocked.transposed().transposed() == blocked && blocked.transposed().run() == 1);
static_assert(blocked.sliced(true).registers() == 8 && blocked.sliced(true).columns() == 1);

TEST_CASE("blocked layouts are what division says, and one wrong bit is found") {
  std::mt19937 random(random_seed());
  const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
  for (int round = 0; round < 300; ++round) {
    const extent_bits tile{up_to(7), up_to(7)}, own{up_to(2), up_to(3)}, warps{up_to(2), up_to(2)};
    const int down = up_to(5);
    const extent_bits lanes{down, 5 - down};
    thread_layout l = tg::make_blocked_layout(tile, own, lanes, warps);
    const auto count_wrong = [&] {
      int wrong = 0;
      for_all(l, [&](int r, int lane, int w, tg::tile_element at) {
        wrong += !(at == blocked_at(tile, own, lanes, warps, r, lane, w));
      });
      return wrong;
    };
    CHECK(l.map.is_surjective());
    CHECK(count_wrong() == 0);
    if (l.map.outputs == 0) continue;
    l.map.bases[up_to(l.map.inputs - 1)] ^= std::uint32_t{1} << up_to(l.map.outputs - 1);
    CHECK(count_wrong() > 0);
  }
}

TEST_CASE("a transposed tile has rows and columns exchanged, a sliced one has lost one of them") {
  const thread_layout turned = blocked.transposed(), rows = blocked.sliced(true), columns = blocked.sliced(false);
  std::map<std::pair<int, int>, int> held;
  for_all(blocked, [&](int r, int lane, int w, tg::tile_element at) {
    CHECK(turned.at(r, lane, w) == tg::tile_element{at.column, at.row});
    ++held[{at.row, at.column}];
  });
  CHECK(held.size() == 64 * 64);
  // A slice has each row that a thread has, once.
  for (const auto& [slice, of_rows] : {std::pair{rows, true}, {columns, false}})
    for (int w = 0; w < 4; ++w)
      for (int lane = 0; lane < 32; ++lane) {
        std::map<int, int> whole, own;
        for (int r = 0; r < blocked.registers(); ++r) {
          const auto at = blocked.at(r, lane, w);
          ++whole[of_rows ? at.row : at.column];
        }
        for (int r = 0; r < slice.registers(); ++r) {
          const auto at = slice.at(r, lane, w);
          CHECK((of_rows ? at.column : at.row) == 0);
          CHECK(++own[of_rows ? at.row : at.column] == 1);
        }
        CHECK(own.size() == whole.size());
        for (const auto& [n, count] : own) CHECK(whole.count(n) == 1);
      }
}
