#include <tg/dsl/index/warps.hpp>

#include <doctest/doctest.h>

using namespace tg::index;
namespace analysis = tg::analysis;

/// Takes a uniform shift away, and counts what is not zero in lane 31.
template <class Form> struct last_lane {
  static constexpr std::int64_t period = 1;
  template <class Other> using with = last_lane<Other>;
  static constexpr analysis::lane_value canonical(int warp) {
    auto v = evaluate<Form>(warp);
    const auto first = v.offset[0];
    for (auto& o : v.offset) o -= first;
    return v;
  }
  template <int Warp> static constexpr int of_warp = static_cast<int>(evaluate<Form>(Warp).offset[31]);
  static constexpr int worse(int a, int b) { return a > b ? a : b; }
};

template <class Form> constexpr int judged = distinct_warps<last_lane<Form>, Form>::count;
template <int X, int Y = 1> using tx = single<thread<'x', X, Y, 1>>;
template <int X, int Y = 1> using ty = single<thread<'y', X, Y, 1>>;

static_assert(judged<tx<256>> == 1, "warps that differ by a shift count once");
static_assert(judged<tx<48>> == 2, "the last warp has fewer lanes");
static_assert(judged<times<ty<16, 4>, tx<16, 4>>> == 2, "rows 0 and 1 are not rows 2 and 3");
static_assert(judged<single<uniform<1>>> == 1);
static_assert(distinct_warps<last_lane<tx<96 + 16>>, tx<96 + 16>>::like[2] == 0, "each warp knows what it is like");
static_assert(distinct_warps<last_lane<tx<96 + 16>>, tx<96 + 16>>::like[3] == 1);
static_assert(worst_of<last_lane<ty<32, 8>>, ty<32, 8>> == 0, "the other warps are not looked at");

TEST_CASE("the warps that are judged are the first of their kind") {
  using form = times<ty<16, 4>, tx<16, 4>>;
  using warps = distinct_warps<last_lane<form>, form>;
  CHECK(warps::warp[0] == 0);
  CHECK(warps::warp[1] == 1);
  CHECK(worst_of<last_lane<form>, form> == 45);
  CHECK(costs_of<last_lane<form>, form>.size() == 2);
  CHECK(costs_of<last_lane<form>, form>[warps::like[0]] == 15);
}
