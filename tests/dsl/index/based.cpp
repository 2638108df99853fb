#include <tg/dsl/index/based.hpp>

#include <doctest/doctest.h>

#include "lane_by_lane.hpp"

using namespace lane_by_lane;
using tg::index::detail::is_based;

namespace {

// Coordinates `x` and `y`, and an unknown base.
template <class X, class Y, class Base>
using indices =
    forms<add<mul<Y, num<33>>, X>, add<add<X, Base>, num<-7>>, add<mul<X, num<-3>>, num<100>>, over<X, num<3>>,
          modulo<X, num<5>>, modulo<add<X, num<9>>, num<16>>, over<add<X, Base>, num<8>>, modulo<add<X, Base>, num<8>>,
          over<add<X, Base>, num<24>>, right<add<mul<X, num<4>>, Base>, num<3>>, right<add<X, num<-1>>, num<1>, true>,
          over<add<X, num<-1>>, num<2>>, both<add<X, Base>, num<7>>, both<add<X, Base>, num<48>>,
          either<mul<X, num<8>>, modulo<Y, num<8>>>, either<add<mul<X, num<32>>, mul<Base, num<64>>>, Y>,
          flip<add<X, Base>, num<3>>, flip<add<X, Base>, mul<X, num<16>>>, flip<mul<X, num<2>>, Y>,
          swizzled<add<add<mul<Y, num<32>>, X>, mul<Base, num<1024>>>, 5, 31>, swizzled<add<mul<X, num<32>>, Y>, 5, 31>,
          mul<modulo<X, num<4>>, num<20000>>, mul<X, num<100000000>>, add<over<X, num<4>>, mul<over<Base, any<1>>, num<16>>>,
          add<X, mul<modulo<Base, num<3>>, num<64>>>, add<add<X, mul<modulo<any<1>, num<2>>, num<1024>>>, Base>,
          add<X, mul<modulo<any<1>, num<8>>, num<16>>>, add<add<X, num<-4>>, mul<modulo<any<1>, num<2>>, num<4096>>>,
          over<add<X, mul<modulo<any<1>, num<2>>, num<512>>>, num<4>>,
          add<add<X, mul<modulo<any<1>, num<2>>, num<512>>>, mul<modulo<any<1>, num<4>>, num<2048>>>,
          swizzled<add<X, mul<modulo<any<1>, num<2>>, num<1024>>>, 5, 31>>;

template <class Form> inline constexpr int based_one = is_based<Form>;
template <class... Forms> int count_based(forms<Forms...>) { return (based_one<Forms> + ...); }

}  // namespace

TEST_CASE("numbers of all threads are those of the lanes of each warp") {
  CHECK(count_other_values(indices<at<'x', 128>, at<'x', 128>, any<16>>{}) == 0);
  CHECK(count_other_values(indices<at<'x', 32, 8>, at<'y', 32, 8>, any<8, true>>{}) == 0);
  CHECK(count_other_values(indices<at<'y', 8, 6, 2>, at<'z', 8, 6, 2>, any<48>>{}) == 0);
  CHECK(count_other_values(indices<at<'x', 50>, num<3>, any<1>>{}) == 0);  // the last warp has 18 threads
  CHECK(count_other_values(indices<any<4>, at<'x', 64>, any<24>>{}) == 0);
  CHECK(count_other_values<at<'x', 128>, over<mul<at<'x', 128>, num<3>>, num<4>>>() == 8);  // a wrong number is seen
}

TEST_CASE("most indices are based, and some are not") {
  CHECK(count_based(indices<at<'x', 128>, at<'x', 128>, any<16>>{}) == 19);
  using x = at<'x', 128>;
  CHECK(is_based<modulo<add<x, any<16>>, num<8>>>);
  CHECK_FALSE(is_based<modulo<add<x, any<4>>, num<8>>>);  // the base is not a multiple of 8
  CHECK_FALSE(is_based<over<add<x, num<-1>>, num<2>>>);   // a lane below 0 has wrapped
  CHECK_FALSE(is_based<mul<x, any<4>>>);                  // each lane has a base of its own
  CHECK_FALSE(is_based<flip<add<x, any<16>>, num<16>>>);  // a bit that the base may have
  CHECK_FALSE(is_based<mul<x, num<100000000>>>);          // beyond what stays known
}
