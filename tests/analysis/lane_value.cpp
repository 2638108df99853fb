#include <tg/analysis/lane_value.hpp>

#include <doctest/doctest.h>

using namespace tg::analysis;

static_assert(is_constant(constant(7)) && is_uniform(constant(7)) && is_non_negative(constant(0)));
static_assert(is_uniform(uniform(4)) && !is_exact(uniform(4)) && granularity(uniform(4)) == 4);
static_assert(is_non_negative(uniform(4)) && !is_non_negative(uniform(4, true)) && !is_non_negative(constant(-1)));
static_assert(!unknown().known && !is_uniform(unknown()) && !is_exact(unknown()) && granularity(unknown()) == 1);
static_assert(uniform(0) == constant(0) && stride(8) == uniform(8));
static_assert(!constant(std::int64_t{1} << 60).known);

// A structural type, so that a request can be keyed by it.
template <lane_value V> inline constexpr std::int64_t third_lane = V.offset[3];
static_assert(third_lane<thread_coordinate({32}, axis::x, 0)> == 3);

TEST_CASE("coordinates of every thread of every warp") {
  for (const block_extent block : {block_extent{256}, {16, 16}, {5, 7, 3}, {8, 8, 8}, {48}, {1, 64}}) {
    for (int w = 0; w < block.warps(); ++w) {
      const auto x = thread_coordinate(block, axis::x, w);
      const auto y = thread_coordinate(block, axis::y, w);
      const auto z = thread_coordinate(block, axis::z, w);
      for (int l = 0; l < warp_lanes; ++l) {
        if ((active_lanes(block, w) >> l & 1) == 0) {
          CHECK(x.offset[l] == x.offset[0]);
          CHECK(y.offset[l] == y.offset[0]);
          continue;
        }
        CHECK(x.offset[l] < block.x);
        CHECK(y.offset[l] < block.y);
        CHECK(x.offset[l] + block.x * (y.offset[l] + block.y * z.offset[l]) == w * 32 + l);
      }
    }
  }
}

TEST_CASE("granularity divides every lane, also those at the bound of a clamp") {
  lane_value v = exact({4, 8, 12});
  CHECK(granularity(v) == 4);
  v.xor_bits = 6;
  CHECK(granularity(v) == 2);
  v.xor_bits = 0;
  v.strides[0] = {6, v.offset, lane_term::clamped};
  v.stride_count = 1;
  CHECK(granularity(v) == 2);
  CHECK(granularity(v.strides[0]) == 2);
  CHECK(granularity(lane_stride{6, v.offset, lane_term::scaled}) == 24);
  CHECK(granularity(lane_stride{6, v.offset, lane_term::grouped}) == 6);
  CHECK(clamped_term(v) == 0);
  CHECK(clamped_term(uniform()) == -1);
}
