#include <tg/dsl/index/swizzled.hpp>

#include <doctest/doctest.h>

#include <utility>

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

template <long long M, long long L> using below = tg::index::single<tg::index::below<M, L>>;

/// In how many warps, for how many of its numbers, an access of 16 bytes to elements of two bytes costs something else than is
/// said of a number below a limit. `make(number)`: the form with that number.
template <long long M, long long L, class Make> int count_other_costs_below(Make make) {
  using said = decltype(make(below<M, L>{}));
  using shared = tg::detail::shared_check<said, 2, 16>;
  int out = 0;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    const auto compare = [&](auto form) {
      for (int w = 0; w < tg::index::block_of<said>.warps(); ++w) {
        const auto own = static_cast<std::size_t>(tg::index::distinct_warps<shared, said>::like[static_cast<std::size_t>(w)]);
        out += !(tg::index::costs_of<shared, said>[own] ==
                 analysis::count_shared(evaluate<decltype(form)>(w), 2, 16, 16, analysis::all_lanes));
      }
    };
    (compare(make(num<M * K>{})), ...);
  }(std::make_integer_sequence<int, static_cast<int>((L + M - 1) / M)>{});
  return out;
}

}  // namespace

TEST_CASE("a number below a limit goes where its bits are free, and costs what is said whatever it is") {
  const auto rows = [](auto n) {
    return swizzled<add<add<add<mul<modulo<t, num<16>>, num<32>>, mul<over<modulo<t, num<32>>, num<16>>, num<8>>>,
                            mul<over<t, num<32>>, num<2048>>>,
                        add<decltype(n), any<512>>>,
                    3, 24>{};
  };
  CHECK(count_other_costs_below<16, 32>(rows) == 0);
  CHECK(std::is_same_v<renamed<decltype(rows(below<16, 32>{})), 8>,
                       swizzled<add<add<add<mul<modulo<t, num<16>>, num<32>>, mul<over<modulo<t, num<32>>, num<16>>, num<8>>>,
                                        mul<over<t, num<32>>, num<2048>>>,
                                    any<512>>,
                                3, 24>>);
  const auto columns = [](auto n) {
    return swizzled<add<add<mul<modulo<t, num<16>>, num<128>>, mul<over<modulo<t, num<32>>, num<16>>, num<8>>>,
                        add<decltype(n), any<2048>>>,
                    4, 56>{};
  };
  CHECK(count_other_costs_below<16, 64>(columns) == 0);
  CHECK(count_other_costs_below<16, 16>(columns) == 0);
  CHECK_FALSE(std::is_same_v<renamed<decltype(columns(below<16, 64>{})), 8>, decltype(columns(below<16, 64>{}))>);
  // Where a lane or the base may have the bits, or the xor is half a period, it is any multiple.
  CHECK(std::is_same_v<renamed<decltype(columns(below<8, 64>{})), 8>, decltype(columns(any<8>{}))>);
  const auto with_base = [](auto n) {
    return swizzled<add<mul<modulo<t, num<16>>, num<128>>, add<decltype(n), any<32>>>, 4, 56>{};
  };
  CHECK(std::is_same_v<renamed<decltype(with_base(below<16, 64>{})), 8>, decltype(with_base(any<16>{}))>);
  const auto alone = [](auto n) { return swizzled<add<mul<modulo<t, num<16>>, num<128>>, decltype(n)>, 4, 56>{}; };
  CHECK(std::is_same_v<renamed<decltype(alone(below<4, 64>{})), 8>, decltype(alone(any<4>{}))>);
  const auto moved = [](auto n) { return swizzled<add<modulo<t, num<8>>, decltype(n)>, 5, 31>{}; };
  CHECK(std::is_same_v<renamed<decltype(moved(below<64, 128>{})), 8>, decltype(moved(any<64>{}))>);
}

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
