#include <tg/analysis/global.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>

#include "brute_force.hpp"

using namespace tg::analysis;

namespace {

constexpr lane_value x = thread_coordinate({256}, axis::x, 3);
constexpr lane_value i = add(mul(uniform(), constant(256)), x);
constexpr lane_value row = add(mul(uniform(), constant(8)), thread_coordinate({8, 8}, axis::y, 1));
constexpr lane_value col = add(mul(uniform(), constant(8)), thread_coordinate({8, 8}, axis::x, 1));

// One of two halves of a buffer: a mask whose bit no lane of the first warp has.
constexpr lane_value half = add(thread_coordinate({32}, axis::x, 0), mul(bit_and(uniform(), constant(1)), constant(64)));
static_assert(half.xor_bits == 64);

constexpr lane_value pair = thread_coordinate({2, 128}, axis::y, 3);

struct expectation {
  const char* what;
  lane_value index;
  int elem_bytes;
  int access_bytes;
  std::int64_t base_align_bytes;
  lane_mask active;
  int sectors;
  int sectors_best;
  int slack;
  bool good;
};

constexpr expectation expectations[] = {
    {"unit stride", i, 4, 4, 256, all_lanes, 4, 4, 0, true},
    {"unit stride, base of any element", add(x, uniform()), 4, 4, 256, all_lanes, 5, 4, 1, true},
    {"stencil neighbour", add(i, constant(1)), 4, 4, 256, all_lanes, 5, 5, 1, true},
    {"backwards", sub(uniform(32), x), 4, 4, 256, all_lanes, 5, 5, 1, true},
    {"every second element", mul(i, constant(2)), 4, 4, 256, all_lanes, 8, 8, 0, false},
    {"column", mul(i, stride(4)), 4, 4, 256, all_lanes, 32, 32, 0, false},
    {"four rows of 32 bytes", add(mul(row, stride(8)), col), 4, 4, 256, all_lanes, 4, 4, 0, true},
    {"four rows of 32 bytes, any stride", add(mul(row, stride()), col), 4, 4, 256, all_lanes, 8, 4, 4, true},
    {"16 rows of 8 bytes", add(mul(pair, stride(8)), thread_coordinate({2, 128}, axis::x, 3)), 4, 4, 256, all_lanes, 16, 16, 0,
     false},
    {"broadcast", uniform(), 4, 4, 256, all_lanes, 1, 1, 0, true},
    {"one of three bytes", mul(i, constant(3)), 1, 1, 256, all_lanes, 3, 3, 0, false},
    {"bytes", i, 1, 1, 16, all_lanes, 2, 1, 1, true},
    {"16-byte vectors", mul(i, constant(4)), 4, 16, 16, all_lanes, 17, 16, 1, true},
    {"half a warp", i, 4, 4, 256, 0xffff, 2, 2, 0, true},
    {"nobody", i, 4, 4, 256, 0, 0, 0, 0, true},
    {"xor of whole sectors", bit_xor(i, mul(uniform(), constant(8))), 4, 4, 256, all_lanes, 4, 4, 0, true},
    {"one of two halves", half, 4, 4, 256, all_lanes, 4, 4, 0, true},
    {"one of two halves, base of any element", half, 4, 4, 4, all_lanes, 5, 4, 1, true},
    {"one of two halves of bytes", half, 1, 1, 1, all_lanes, 2, 1, 1, true},
};

constexpr bool holds(const expectation& e) {
  const global_cost c = count_global(e.index, e.elem_bytes, e.access_bytes, e.base_align_bytes, e.active);
  return c.known && c.sectors == e.sectors && c.sectors_best == e.sectors_best && c.slack_sectors == e.slack &&
         c.good == e.good;
}

}  // namespace

static_assert(holds(expectations[0]) && holds(expectations[1]) && holds(expectations[2]) && holds(expectations[3]));
static_assert(holds(expectations[4]) && holds(expectations[5]) && holds(expectations[6]) && holds(expectations[7]));
static_assert(holds(expectations[8]) && holds(expectations[9]) && holds(expectations[10]) && holds(expectations[11]));
static_assert(holds(expectations[12]) && holds(expectations[13]) && holds(expectations[14]) && holds(expectations[15]));
static_assert(holds(expectations[16]) && holds(expectations[17]) && holds(expectations[18]));
static_assert(std::size(expectations) == 19);

TEST_CASE("indices as kernels write them") {
  for (const auto& e : expectations) {
    CAPTURE(e.what);
    const global_cost c = count_global(e.index, e.elem_bytes, e.access_bytes, e.base_align_bytes, e.active);
    CHECK(c.known);
    CHECK(c.sectors == e.sectors);
    CHECK(c.sectors_best == e.sectors_best);
    CHECK(c.slack_sectors == e.slack);
    CHECK(c.good == e.good);
    CHECK(c.exact == (e.sectors == e.sectors_best));
  }
}

TEST_CASE("what depends on data, or on a mask within sectors of unknown base, is not judged") {
  CHECK_FALSE(count_global(unknown(), 4, 4, 256, all_lanes).known);
  CHECK_FALSE(count_global(unknown(), 4, 4, 256, all_lanes).good);
  lane_value swizzled = x;
  swizzled.xor_bits = 24;
  CHECK(count_global(swizzled, 4, 4, 256, all_lanes).known);
  CHECK_FALSE(count_global(swizzled, 4, 4, 16, all_lanes).known);
}

TEST_CASE("100000 requests agree with sets of bytes and sectors") {
  std::mt19937 random{1};
  int disagreements = 0;
  int without_sharing = 0;
  for (int round = 0; round < 100000; ++round) {
    const request r = brute_force::random_request(random);
    const global_cost c = count_global(r);
    const brute_force::global b = brute_force::count_global(r);
    const bool agrees = c.sectors == b.sectors && c.sectors_best == b.sectors && c.lines == b.lines &&
                        c.touched_bytes == b.bytes && c.ideal_sectors == (b.bytes + 31) / 32 && c.slack_sectors == b.slack &&
                        c.good == b.good && c.exact && c.known;
    disagreements += agrees ? 0 : 1;
    without_sharing += c.sectors == brute_force::count_global_per_lane(r) ? 0 : 1;
  }
  CHECK(disagreements == 0);
  // A count that forgets that lanes share sectors is found out.
  CHECK(without_sharing > 50000);
}
