#include <tg/analysis/canonical.hpp>

#include <doctest/doctest.h>

#include <random>
#include <tg/analysis/arithmetic.hpp>

using namespace tg::analysis;

namespace {

constexpr lane_value x(int warp) { return thread_coordinate({256}, axis::x, warp); }
constexpr lane_value row(int warp) { return mul(thread_coordinate({32, 32}, axis::y, warp), stride(32)); }

}  // namespace

static_assert(canonical_for_global(x(5), 4) == canonical_for_global(add(x(2), uniform(64)), 4));
static_assert(canonical_for_global(x(0), 4) != canonical_for_global(add(x(0), constant(1)), 4));
static_assert(canonical_for_shared(x(0), 4, 4) == canonical_for_shared(add(x(3), constant(5)), 4, 4));
static_assert(canonical_for_shared(x(0), 4, 16) != canonical_for_shared(add(x(3), constant(5)), 4, 16));
static_assert(canonical_for_global(row(3), 4) == canonical_for_global(row(0), 4) && !canonical_for_global(unknown(), 4).known);

TEST_CASE("a canonical value costs the same") {
  std::mt19937 random{3};
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  for (int round = 0; round < 5000; ++round) {
    const block_extent block{1 << below(6), 64, 1};
    const lane_value tx = thread_coordinate(block, axis::x, below(4));
    const lane_value ty = thread_coordinate(block, axis::y, below(4));
    lane_value v = add(mul(tx, constant(below(5))), constant(below(300) - 100));
    if (below(2)) v = add(v, uniform(1 << below(8), true));
    if (below(2)) v = add(v, mul(ty, below(2) ? constant(below(70)) : stride(1 << below(7))));
    if (below(8) == 0) v.xor_bits = 8 * below(4);
    for (const int elem_bytes : {1, 2, 3, 4, 8}) {
      CHECK(count_global(v, elem_bytes, elem_bytes, 16, all_lanes) ==
            count_global(canonical_for_global(v, elem_bytes), elem_bytes, elem_bytes, 16, all_lanes));
      CHECK(count_shared(v, elem_bytes, elem_bytes, all_lanes) ==
            count_shared(canonical_for_shared(v, elem_bytes, 4), elem_bytes, elem_bytes, all_lanes));
    }
  }
}
