#include <tg/tile/distribution.hpp>

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include <tg/emulator/matrix/fragment_layout.hpp>
#include <tg/layout/fragment_layout.hpp>

namespace {

using place = std::pair<int, int>;

place sum(tg::tile_place a, tg::tile_place b, tg::tile_place c) {
  return {a.row + b.row + c.row, a.column + b.column + c.column};
}

/// How many registers hold each element.
std::map<place, int> holders(const tg::distribution& d, int warps) {
  std::map<place, int> out;
  for (int w = 0; w < warps; ++w)
    for (int l = 0; l < 32; ++l)
      for (int r = 0; r < d.registers(); ++r) ++out[sum(d.warp(w), d.lane(l), d.at(r))];
  return out;
}

/// Whether each element is held by `times` registers, and nothing outside by any.
bool holds_all(const tg::distribution& d, int warps, int times) {
  const auto found = holders(d, warps);
  if (found.size() != static_cast<std::size_t>(d.rows * d.columns)) return false;
  for (const auto& [at, count] : found)
    if (count != times || at.first < 0 || at.first >= d.rows || at.second < 0 || at.second >= d.columns) return false;
  return true;
}

}  // namespace

TEST_CASE("sums of one product lie where the table of fragments says") {
  const auto d = tg::detail::sums_distribution(16, 8, 1, 1);
  const auto table = tg::make_fragment_layout(16, 8, 2);
  CHECK(d.registers() == table.elements());
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < d.registers(); ++r)
      CHECK(sum(d.lane(l), d.at(r), {}) == place{table.at(l, r).line, table.at(l, r).step});
}

TEST_CASE("each element of a tile of sums is held once") {
  for (int rows : {16, 64, 128})
    for (int columns : {8, 32, 256})
      for (auto [down, across] : {place{1, 1}, {4, 1}, {1, 4}, {2, 2}})
        if (rows >= 16 * down && columns >= 8 * across)
          CHECK(holds_all(tg::detail::sums_distribution(rows, columns, down, across), down * across, 1));
}

TEST_CASE("each element of a tile of sums by fused multiply-add is held once") {
  for (int rows : {32, 64, 128})
    for (int columns : {128, 256})
      for (auto [down, across] : {place{1, 1}, {8, 1}, {1, 4}, {4, 2}})
        CHECK(holds_all(tg::detail::fma_distribution(rows, columns, down, across), down * across, 1));
}

TEST_CASE("each element of a tile of runs is held equally often") {
  for (int rows : {1, 2, 4, 64})
    for (int columns : {1, 4, 32, 128, 1024})
      for (int warps : {1, 4, 8})
        for (int run : {1, 4, 8}) {
          const auto d = tg::detail::run_distribution(rows, columns, warps, run);
          CAPTURE(rows);
          CAPTURE(columns);
          CAPTURE(warps);
          CAPTURE(run);
          CHECK(holds_all(d, warps, warps * 32 * d.registers() / (rows * columns)));
          CHECK(d.run() >= (run < columns ? run : columns));
        }
}

TEST_CASE("a distribution with a wrong bit is found") {
  auto d = tg::detail::sums_distribution(64, 64, 2, 2);
  CHECK(holds_all(d, 4, 1));
  d.bits[3] = d.bits[2];
  CHECK(!holds_all(d, 4, 1));
}

TEST_CASE("a slice has the rows or the columns of each register") {
  for (const auto& d : {tg::detail::sums_distribution(64, 64, 2, 2), tg::detail::run_distribution(4, 1024, 4, 4)})
    for (const bool of_rows : {true, false}) {
      const auto slice = d.slice(of_rows);
      for (int w = 0; w < 4; ++w)
        for (int l = 0; l < 32; ++l)
          for (int r = 0; r < d.registers(); ++r) {
            const place whole = sum(d.warp(w), d.lane(l), d.at(r));
            const place own = sum(slice.warp(w), slice.lane(l), slice.at(d.in_slice(of_rows, r)));
            CHECK(own == (of_rows ? place{whole.first, 0} : place{0, whole.second}));
          }
    }
}

TEST_CASE("parts of a row have a column for each thread that holds some of it") {
  for (const auto& d : {tg::detail::sums_distribution(64, 64, 2, 2), tg::detail::run_distribution(4, 1024, 4, 4),
                        tg::detail::group_distribution(128, 64, 1), tg::detail::run_distribution(64, 8, 4, 8)}) {
    const auto parts = d.row_parts();
    std::map<place, std::set<int>> columns_of;  // of each part: where its elements begin
    for (int w = 0; w < 1 << d.warp_bits; ++w)
      for (int l = 0; l < 32; ++l)
        for (int r = 0; r < d.registers(); ++r) {
          const place whole = sum(d.warp(w), d.lane(l), d.at(r));
          const place own = sum(parts.warp(w), parts.lane(l), parts.at(d.in_slice(true, r)));
          CHECK(own.first == whole.first);
          CHECK(own.second < parts.columns);
          columns_of[own].insert(sum(d.warp(w), d.lane(l), {}).second);
        }
    CHECK(columns_of.size() == static_cast<std::size_t>(parts.rows * parts.columns));
    for (const auto& [part, first] : columns_of) CHECK(first.size() == 1);
    CHECK(parts.slice(true) == d.slice(true));
  }
}

TEST_CASE("an operand of one row, one column or one element is in a register of its own") {
  using whole = tg::sums_spread<64, 32, 4, 1>;
  using tg::detail::operand_slice;
  static_assert(std::is_same_v<operand_slice<whole, 64, 32>::spread, whole>);
  static_assert(operand_slice<whole, 64, 1>::spread::value == whole::value.slice(true));
  static_assert(operand_slice<whole, 1, 32>::spread::value == whole::value.slice(false));
  static_assert(operand_slice<whole, 1, 1>::spread::value == whole::value.slice(true).slice(false));
  static_assert(operand_slice<whole, 1, 1>::spread::value.registers() == 1);
  for (int r = 0; r < whole::value.registers(); ++r) {
    CHECK(operand_slice<whole, 64, 32>::register_of(r) == r);
    CHECK(operand_slice<whole, 64, 1>::register_of(r) == whole::value.in_slice(true, r));
    CHECK(operand_slice<whole, 1, 32>::register_of(r) == whole::value.in_slice(false, r));
    CHECK(operand_slice<whole, 1, 1>::register_of(r) == 0);
  }
}
