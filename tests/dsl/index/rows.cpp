#include <tg/dsl/index/rows.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "lane_by_lane.hpp"

using namespace lane_by_lane;
using tg::index::detail::has_rows;
using tg::index::detail::rows_near_zero;

namespace {

// Rows and columns of a matrix whose pitch is unknown.
template <class X, class Y, class Base, class Pitch>
using matrices = forms<add<mul<Y, Pitch>, X>, add<mul<X, Pitch>, Y>, add<mul<add<Y, Base>, Pitch>, add<X, Base>>,
                       add<mul<add<Y, num<24>>, Pitch>, X>, add<mul<add<X, num<-7>>, Pitch>, add<Y, num<5>>>,
                       add<mul<over<X, num<16>>, Pitch>, mul<modulo<X, num<16>>, num<8>>>,
                       add<mul<add<over<X, num<8>>, any<64, true>>, Pitch>, add<mul<modulo<X, num<8>>, num<4>>, Base>>,
                       add<mul<Y, Pitch>, swizzled<X, 3, 7>>, add<add<mul<Y, Pitch>, mul<Y, Pitch>>, X>,
                       add<mul<X, num<2>>, mul<add<X, Y>, Pitch>>>;

/// The most sectors that a warp's request moves, by trying each base and pitch that differ in their alignment: lane l is at
/// (row[l] + base row) * pitch + column[l] + base. Rows lie far apart, and the array starts at a multiple of 16 bytes.
int most_sectors(const int (&rows)[32], const int (&columns)[32], int row_divisor, int pitch_divisor, int divisor,
                 int element_bytes, int access_bytes) {
  const int period = 128 / element_bytes;
  std::size_t most = 0;
  for (int pitch = 4096; pitch < 4096 + period; pitch += pitch_divisor)
    for (int row = 0; row < 4 * row_divisor; row += row_divisor)
      for (int base = 0; base < period; base += std::gcd(divisor, 16 / element_bytes)) {
        std::set<int> sectors;
        for (int l = 0; l < 32; ++l) {
          const int first = ((rows[l] + row) * pitch + columns[l] + base) * element_bytes;
          sectors.insert({first / 32, (first + access_bytes - 1) / 32});
        }
        most = std::max(most, sectors.size());
      }
  return static_cast<int>(most);
}

/// In how many warps an access at (row + a multiple of R) * (a multiple of P) + column + a multiple of D is said to move other
/// numbers of sectors than the trial finds.
template <class Row, class Column, int R, int P, int D, int ElementBytes, int AccessBytes, class SaidRow = Row>
int count_other_sectors() {
  using form = add<mul<add<SaidRow, any<R>>, any<P>>, add<Column, any<D>>>;
  using check = tg::detail::global_check<form, ElementBytes, AccessBytes, 16>;
  static_assert(has_rows<form>);
  int out = 0;
  for (int w = 0; w < tg::index::block_of<form>.warps(); ++w) {
    int rows[32], columns[32];
    for (std::size_t l = 0; l < 32; ++l) {
      rows[l] = static_cast<int>(evaluate<Row>(w).offset[l]);
      columns[l] = static_cast<int>(evaluate<Column>(w).offset[l]);
    }
    const auto own = static_cast<std::size_t>(tg::index::distinct_warps<check, form>::like[static_cast<std::size_t>(w)]);
    out += tg::index::costs_of<check, form>[own].sectors != most_sectors(rows, columns, R, P, D, ElementBytes, AccessBytes);
  }
  return out;
}

template <class Row, class Column, int R, int P, int D, int ElementBytes, int AccessBytes>
constexpr int warps_judged = [] {
  using form = add<mul<add<Row, any<R>>, any<P>>, add<Column, any<D>>>;
  return tg::index::distinct_warps<tg::detail::global_check<form, ElementBytes, AccessBytes, 16>, form>::count;
}();

}  // namespace

TEST_CASE("rows of an unknown pitch are what the lanes of each warp hold") {
  CHECK(count_other_values(matrices<at<'x', 32, 8>, at<'y', 32, 8>, any<32>, any<1>>{}) == 0);
  CHECK(count_other_values(matrices<at<'x', 16, 6>, at<'y', 16, 6>, any<1, true>, any<4>>{}) == 0);
  CHECK(count_other_values(matrices<at<'x', 128>, num<3>, any<8>, any<8, true>>{}) == 0);
  CHECK(count_other_values(matrices<at<'x', 50>, any<2>, any<64>, any<24>>{}) == 0);
}

TEST_CASE("warps and copies of an access to a matrix that are taken to be alike cost the same") {
  CHECK(count_other_costs(matrices<at<'x', 32, 8>, at<'y', 32, 8>, any<32>, any<1>>{}) == 0);
  CHECK(count_other_costs(matrices<at<'x', 16, 6>, at<'y', 16, 6>, any<1>, any<4>>{}) == 0);
  CHECK(count_other_costs(matrices<at<'x', 128>, num<3>, any<8>, any<24>>{}) == 0);
  using row = mul<over<at<'x', 128>, num<16>>, any<8>>;
  CHECK(count_other_costs<add<row, modulo<at<'x', 128>, num<16>>>, 4, 4, add<row, mul<at<'x', 128>, num<2>>>>() >
        0);  // wrong costs are seen
}

TEST_CASE("warps whose rows an unknown base can move onto each other cost the same") {
  using x = at<'x', 128>;
  using row = over<x, num<16>>;
  using column = mul<modulo<x, num<16>>, num<8>>;
  CHECK(count_other_sectors<row, column, 1, 8, 1, 2, 2>() == 0);
  CHECK(count_other_sectors<row, column, 1, 8, 8, 2, 16>() == 0);
  CHECK(count_other_sectors<row, column, 8, 8, 64, 2, 16>() == 0);
  CHECK(count_other_sectors<mul<row, num<3>>, column, 1, 2, 4, 4, 4>() == 0);
  CHECK(count_other_sectors<row, column, 1, 8, 1, 2, 2, over<x, num<8>>>() > 0);  // wrong costs are seen
  CHECK(warps_judged<row, column, 1, 8, 8, 2, 16> == 1);
  CHECK(warps_judged<row, column, 8, 8, 64, 2, 16> == 4);
}

TEST_CASE("one term is a row, and rows that are whole periods apart are one") {
  using x = at<'x', 32, 8>;
  using y = at<'y', 32, 8>;
  CHECK(has_rows<add<mul<y, any<4>>, x>>);
  CHECK_FALSE(has_rows<add<add<mul<y, any<4>>, mul<x, any<4>>>, x>>);
  CHECK_FALSE(has_rows<add<mul<y, x>, x>>);
  using row = add<mul<add<y, num<3>>, any<8>>, x>;
  CHECK(std::is_same_v<rows_near_zero<add<mul<add<y, num<11>>, any<8>>, x>, 64>::type, rows_near_zero<row, 64>::type>);
  CHECK_FALSE(std::is_same_v<rows_near_zero<add<mul<add<y, num<11>>, any<8>>, x>, 128>::type, rows_near_zero<row, 128>::type>);
}
