#include <tg/analysis/shared.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/division.hpp>

#include "brute_force.hpp"

using namespace tg::analysis;

namespace {

constexpr lane_value tx = thread_coordinate({32, 8}, axis::x, 5);
constexpr lane_value ty = thread_coordinate({32, 8}, axis::y, 5);
constexpr lane_value column = add(mul(tx, constant(32)), ty);
constexpr lane_value u = uniform();

/// swizzle<5> of an index into rows of 32.
constexpr lane_value swizzled(const lane_value& index) {
  return bit_xor(index, bit_and(shr(index, constant(5), false), constant(31)));
}

struct expectation {
  const char* what;
  lane_value index;
  int elem_bytes;
  int access_bytes;
  lane_mask active;
  int wavefronts;
  int ideal_wavefronts;
  int ways;
};

constexpr expectation expectations[] = {
    {"row", tx, 4, 4, all_lanes, 1, 1, 1},
    {"row, anywhere", add(tx, u), 4, 4, all_lanes, 1, 1, 1},
    {"column", column, 4, 4, all_lanes, 32, 1, 32},
    {"column of 8 lanes", column, 4, 4, 0xff, 8, 1, 8},
    {"padded column", add(mul(tx, constant(33)), ty), 4, 4, all_lanes, 1, 1, 1},
    {"swizzled column", swizzled(column), 4, 4, all_lanes, 1, 1, 1},
    {"swizzled row of unknown number", swizzled(add(mul(u, constant(32)), tx)), 4, 4, all_lanes, 1, 1, 1},
    {"swizzled column of unknown number", swizzled(add(mul(tx, constant(32)), bit_and(u, constant(31)))), 4, 4, all_lanes, 1, 1,
     1},
    {"every second word", mul(tx, constant(2)), 4, 4, all_lanes, 2, 1, 2},
    {"broadcast", u, 4, 4, all_lanes, 1, 1, 1},
    {"bytes", tx, 1, 1, all_lanes, 1, 1, 1},
    {"bytes 129 apart, anywhere", add(mul(tx, constant(129)), u), 1, 1, all_lanes, 4, 1, 4},
    {"8 bytes each", tx, 8, 8, all_lanes, 2, 2, 1},
    {"16 bytes each", mul(tx, constant(4)), 4, 16, all_lanes, 4, 4, 1},
    {"16 bytes each, a row of 128 bytes apart", mul(tx, constant(32)), 4, 16, all_lanes, 32, 4, 8},
    {"nobody", tx, 4, 4, 0, 0, 0, 0},
};

constexpr bool holds(const expectation& e) {
  const shared_cost c = count_shared(e.index, e.elem_bytes, e.access_bytes, e.active);
  return c.known && c.wavefronts == e.wavefronts && c.ideal_wavefronts == e.ideal_wavefronts && c.ways == e.ways;
}

}  // namespace

static_assert(holds(expectations[0]) && holds(expectations[1]) && holds(expectations[2]) && holds(expectations[3]));
static_assert(holds(expectations[4]) && holds(expectations[5]) && holds(expectations[6]) && holds(expectations[7]));
static_assert(holds(expectations[8]) && holds(expectations[9]) && holds(expectations[10]) && holds(expectations[11]));
static_assert(holds(expectations[12]) && holds(expectations[13]) && holds(expectations[14]) && holds(expectations[15]));
static_assert(std::size(expectations) == 16);

TEST_CASE("indices as kernels write them") {
  for (const auto& e : expectations) {
    CAPTURE(e.what);
    const shared_cost c = count_shared(e.index, e.elem_bytes, e.access_bytes, e.active);
    CHECK(c.known);
    CHECK(c.wavefronts == e.wavefronts);
    CHECK(c.ideal_wavefronts == e.ideal_wavefronts);
    CHECK(c.ways == e.ways);
    CHECK(c.good == (e.wavefronts == e.ideal_wavefronts));
  }
}

TEST_CASE("a stride per lane, and a mask beside whole words, are not judged") {
  CHECK_FALSE(count_shared(mul(tx, stride()), 4, 4, all_lanes).known);
  CHECK_FALSE(count_shared(unknown(), 4, 4, all_lanes).known);
  lane_value masked = tx;
  masked.xor_bits = 1;
  CHECK(count_shared(masked, 1, 1, all_lanes).known);
  CHECK_FALSE(count_shared(masked, 1, 1, 1, all_lanes).known);
  CHECK_FALSE(count_shared(masked, 4, 16, all_lanes).known);
}

TEST_CASE("a base between words takes the worst of its places") {
  const lane_value pair = exact({0, 126});
  CHECK(count_shared(pair, 1, 2, 4, 3u).ways == 1);
  CHECK(count_shared(pair, 1, 2, 1, 3u).ways == 2);
  CHECK(count_shared(add(pair, u), 1, 2, 3u).ways == 2);
}

TEST_CASE("100000 requests agree with sets of words") {
  std::mt19937 random{2};
  int disagreements = 0;
  int without_broadcast = 0;
  for (int round = 0; round < 100000; ++round) {
    const request r = brute_force::random_request(random);
    const shared_cost c = count_shared(r);
    const brute_force::shared b = brute_force::count_shared(r);
    const bool agrees = c.wavefronts == b.wavefronts && c.ideal_wavefronts == b.phases && c.ways == b.ways &&
                        c.good == (b.wavefronts == b.phases) && c.known;
    disagreements += agrees ? 0 : 1;
    without_broadcast += c.wavefronts == brute_force::count_shared(r, false).wavefronts ? 0 : 1;
  }
  CHECK(disagreements == 0);
  // A count that forgets that lanes share words is found out.
  CHECK(without_broadcast > 10000);
}

TEST_CASE("strides of whole turns around the banks cost no more than counted, and for some stride as much") {
  std::uint32_t seed = 1;
  const auto random = [&](std::uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<std::int64_t>((seed >> 8) % below);
  };
  for (int round = 0; round < 2000; ++round) {
    const int elem_bytes = 1 << random(4);
    const std::int64_t turn = 128 / elem_bytes;  // elements
    lanes coef{}, offset{};
    const auto rows = static_cast<std::uint32_t>(1 + random(32));
    const std::int64_t remainder = random(static_cast<std::uint32_t>(turn));
    for (int l = 0; l < warp_lanes; ++l) {
      coef[static_cast<std::size_t>(l)] = random(rows);
      offset[static_cast<std::size_t>(l)] =
          random(static_cast<std::uint32_t>(turn)) + remainder * coef[static_cast<std::size_t>(l)];
    }
    const lane_value index = add(exact(offset), mul(exact(coef), uniform(turn)));
    const shared_cost counted = count_shared(index, elem_bytes, elem_bytes, all_lanes);
    REQUIRE(counted.known);
    int worst = 0;
    for (std::int64_t turns = 0; turns < 40; ++turns) {
      lanes at{};
      for (std::size_t l = 0; l < at.size(); ++l) at[l] = offset[l] + coef[l] * turn * turns;
      worst = std::max(worst, count_shared(exact(at), elem_bytes, elem_bytes, all_lanes).wavefronts);
    }
    CHECK(counted.wavefronts == worst);
  }
}

TEST_CASE("other strides stay unknown") {
  CHECK_FALSE(count_shared(mul(tx, uniform(16)), 4, 4, all_lanes).known);
  CHECK(count_shared(mul(tx, uniform(32)), 4, 4, all_lanes).known);
  CHECK_FALSE(count_shared(mul(tx, uniform(32)), 2, 2, all_lanes).known);
}

// max((y ^ 28) + x * u, v - 1) + x: half of the lanes of a phase may be at their bounds, which lie at other places than the
// rest.
TEST_CASE("rows of a clamped index are not one row: each has its own bounds") {
  const lane_value x = thread_coordinate({8, 8, 4}, axis::x, 5), y = thread_coordinate({8, 8, 4}, axis::y, 5);
  const lane_value rows = add(bit_xor(y, constant(28)), mul(x, uniform(32)));
  const shared_cost clamped = count_shared(add(max(rows, sub(uniform(2), constant(1)), false), x), 8, 8, all_lanes);
  CHECK((!clamped.known || clamped.wavefronts >= 6));
  CHECK(count_shared(add(rows, x), 8, 8, all_lanes).known);
}
