#include <tg/dsl/index/rows.hpp>

#include <doctest/doctest.h>

#include "moved_rows.hpp"

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
  CHECK(try_sectors<row, column, 1, 8, 1, 2, 2>().other == 0);
  CHECK(try_sectors<row, column, 1, 8, 8, 2, 16>().other == 0);
  CHECK(try_sectors<row, column, 8, 8, 64, 2, 16>().other == 0);
  CHECK(try_sectors<mul<row, num<3>>, column, 1, 2, 4, 4, 4>().other == 0);
  CHECK(try_sectors<row, column, 1, 8, 1, 2, 2, over<x, num<8>>>().other > 0);  // wrong costs are seen
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
