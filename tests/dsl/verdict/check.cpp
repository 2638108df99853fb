#include <tg/dsl/verdict/check.hpp>

#include <doctest/doctest.h>

using namespace tg::index;
using lane = single<thread<'x', 32, 2, 1>>;
using row = single<thread<'y', 32, 2, 1>>;
using tg::detail::all_aligned;
using tg::detail::global_check;
using tg::detail::proved_alignment;
using tg::detail::shared_check;

template <class Form> constexpr auto global = worst_of<global_check<Form, 4, 4, 16>, Form>;
template <class Form> constexpr auto shared = worst_of<shared_check<Form, 4, 4>, Form>;

static_assert(global<lane>.good && global<lane>.ideal_sectors == 4);
static_assert(!global<times<lane, number<2>>>.good && global<times<lane, number<2>>>.ideal_sectors == 4);
static_assert(!global<times<lane, single<uniform<8>>>>.good && global<times<lane, single<uniform<8>>>>.sectors == 32);
static_assert(global<times<row, single<uniform<1>>>>.good, "one element per warp is one sector");
static_assert(!global<data>.known);

static_assert(shared<lane>.ways == 1 && shared<times<lane, number<33>>>.ways == 1 &&
              shared<times<lane, number<32>>>.ways == 32);
static_assert(shared<single<uniform<1>>>.good, "a broadcast");

// Warp 0 is known, warp 1 holds numbers below 0: nothing is known of the access.
using turns_negative = node<minus<number<40>, plus<lane, times<row, number<32>>>>, number<3>,
                            quotient<minus<number<40>, plus<lane, times<row, number<32>>>>, number<3>, false>>;
static_assert(evaluate<turns_negative>(0).known && !evaluate<turns_negative>(1).known);
static_assert(!shared<turns_negative>.known && !global<turns_negative>.known);

// A bad request stands for the access, though a good one moves more; then the one with more waste, then size, then order.
using tg::detail::worst_warp;
constexpr tg::analysis::global_cost good_dear{.sectors = 17, .sectors_best = 16, .ideal_sectors = 16, .good = true},
    bad_cheap{.sectors = 4, .sectors_best = 4, .ideal_sectors = 2},
    wasteful{.sectors = 9, .sectors_best = 8, .ideal_sectors = 4},
    larger{.sectors = 10, .sectors_best = 10, .ideal_sectors = 5}, unknown_lanes{.known = false};
static_assert(worst_warp::worse(good_dear, bad_cheap) == bad_cheap && worst_warp::worse(bad_cheap, good_dear) == bad_cheap);
static_assert(worst_warp::worse(bad_cheap, wasteful) == wasteful && worst_warp::worse(wasteful, larger) == larger);
static_assert(worst_warp::worse(wasteful, unknown_lanes) == unknown_lanes);
static_assert(&worst_warp::worse(wasteful, wasteful) == &wasteful);

template <class Form> constexpr bool aligned16 = all_aligned<global_check<Form, 4, 16, 16>, Form>;
static_assert(aligned16<times<lane, number<4>>> && !aligned16<plus<times<lane, number<4>>, number<1>>> && !aligned16<lane>);
static_assert(!aligned16<plus<times<lane, number<4>>, single<uniform<2>>>>);

TEST_CASE("the alignment that an error names") {
  CHECK(proved_alignment<times<lane, number<4>>, 4, 16> == 16);
  CHECK(proved_alignment<times<lane, number<4>>, 4, 8> == 8);
  CHECK(proved_alignment<plus<times<lane, number<4>>, number<2>>, 4, 16> == 8);
  CHECK(proved_alignment<plus<times<lane, number<4>>, number<1>>, 4, 16> == 4);
}
