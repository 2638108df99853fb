#include <tg/dsl/index/swizzled.hpp>

#include <doctest/doctest.h>

#include "lane_by_lane.hpp"

using namespace lane_by_lane;
using tg::index::renamed;

namespace {

using x = at<'x', 32, 8>;
using y = at<'y', 32, 8>;
using t = at<'x', 128>;
template <class A> using twice = flip<swizzled<A, 3, 3>, both<right<A, num<5>>, num<12>>>;

template <int... N> constexpr auto tiles(std::integer_sequence<int, N...>) {
  return forms<swizzled<add<add<mul<x, num<32>>, y>, num<8 * N>>, 5, 31>...,
               swizzled<add<add<mul<y, num<32>>, x>, num<256 * N>>, 5, 31>...,
               swizzled<add<add<mul<y, num<32>>, x>, num<3 * N>>, 5, 31>...,
               swizzled<add<add<mul<over<t, num<16>>, num<128>>, mul<modulo<t, num<16>>, num<8>>>, num<16 * N>>, 4, 56>...,
               swizzled<add<add<mul<modulo<t, num<16>>, num<128>>, mul<any<1>, num<8192>>>, num<16 * N + 8>>, 4, 56>...,
               swizzled<add<add<mul<modulo<t, num<16>>, num<64>>, any<32>>, num<16 * N>>, 3, 56>...,
               twice<add<add<mul<y, num<32>>, x>, num<256 * N>>>..., twice<add<mul<modulo<t, num<8>>, num<4>>, num<32 * N>>>...,
               add<add<mul<over<t, num<8>>, num<16>>, num<16 * N>>, mul<modulo<any<1>, num<2>>, num<1024>>>...>{};
}

}  // namespace

TEST_CASE("swizzled copies and warps that are taken to be alike cost the same") {
  CHECK(count_other_costs(tiles(std::make_integer_sequence<int, 5>{})) == 0);
  CHECK(count_other_costs<mul<t, num<32>>, 4, 4, swizzled<mul<t, num<32>>, 5, 31>>() == 4);  // wrong costs are seen
}

TEST_CASE("a number in free bits goes where its xor is a whole period") {
  CHECK(std::is_same_v<renamed<swizzled<add<add<mul<x, num<32>>, y>, num<24>>, 5, 31>, 4>,
                       swizzled<add<mul<x, num<32>>, y>, 5, 31>>);
  CHECK(std::is_same_v<renamed<twice<add<add<mul<y, num<32>>, x>, num<512>>>, 4>, twice<add<mul<y, num<32>>, x>>>);
  using taken = swizzled<add<add<mul<x, num<32>>, y>, num<4>>, 5, 31>;  // y has the bit
  CHECK(std::is_same_v<renamed<taken, 4>, taken>);
  using small = swizzled<add<mul<x, num<32>>, num<2>>, 5, 31>;  // half a period
  CHECK(std::is_same_v<renamed<small, 4>, small>);
  using carried = swizzled<add<add<mul<x, num<64>>, any<16>>, num<32>>, 5, 31>;  // the base may have the bit
  CHECK(std::is_same_v<renamed<carried, 4>, carried>);
  using other = flip<add<x, num<32>>, num<64>>;  // no swizzle
  CHECK(std::is_same_v<renamed<other, 4>, other>);
}
