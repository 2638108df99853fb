#include <tg/analysis/alignment.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/choice.hpp>

using namespace tg::analysis;

namespace {

constexpr lane_value i = add(mul(uniform(), constant(256)), thread_coordinate({256}, axis::x, 2));
constexpr lane_value i4 = mul(i, constant(4));
constexpr lane_value row = thread_coordinate({8, 8}, axis::y, 1);

}  // namespace

static_assert(is_aligned(i4, 4, 16, 16, all_lanes) && !is_aligned(i4, 4, 16, 8, all_lanes) &&
              !is_aligned(i, 4, 8, 16, all_lanes));
static_assert(!is_aligned(add(i4, constant(2)), 4, 16, 16, all_lanes) && is_aligned(add(i4, constant(2)), 4, 8, 16, all_lanes));
static_assert(is_aligned(add(i4, uniform(4)), 4, 16, 256, all_lanes) && !is_aligned(add(i4, uniform()), 4, 16, 256, all_lanes));
static_assert(is_aligned(add(mul(row, stride(4)), i4), 4, 16, 16, all_lanes));
static_assert(!is_aligned(add(mul(row, stride(2)), i4), 4, 16, 16, all_lanes) && !is_aligned(unknown(), 4, 4, 16, all_lanes));
static_assert(is_aligned(i, 4, 4, 16, all_lanes) && is_aligned(exact({0, 1}), 4, 8, 16, ~2u));
static_assert(widest_vector_elems(4, 16) == 4 && widest_vector_elems(4, 8) == 2 && widest_vector_elems(1, 256) == 16);
static_assert(widest_vector_elems(2, 16) == 8 && widest_vector_elems(8, 8) == 1 && widest_vector_elems(3, 16) == 1);

TEST_CASE("a clamped vector must be aligned at the edge too") {
  CHECK(is_aligned(mul(min(i, uniform()), constant(4)), 4, 16, 16, all_lanes));
  CHECK(is_aligned(min(i4, uniform(4)), 4, 16, 16, all_lanes));
  CHECK_FALSE(is_aligned(min(i4, uniform(2)), 4, 16, 16, all_lanes));
}

TEST_CASE("a mask below the vector breaks it") {
  lane_value swizzled = mul(thread_coordinate({8}, axis::x, 0), constant(4));
  swizzled.xor_bits = 12;
  CHECK(is_aligned(swizzled, 4, 16, 16, all_lanes));
  swizzled.xor_bits = 14;
  CHECK_FALSE(is_aligned(swizzled, 4, 16, 16, all_lanes));
}

TEST_CASE("exact addresses") {
  request r{mul(i4, constant(4)).offset, all_lanes, 16};
  CHECK(is_aligned(r));
  r.address_bytes[3] += 4;
  CHECK_FALSE(is_aligned(r));
  r.active = ~8u;
  CHECK(is_aligned(r));
}
