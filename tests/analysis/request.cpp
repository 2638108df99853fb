#include <tg/analysis/request.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/arithmetic.hpp>

#include "brute_force.hpp"

using namespace tg::analysis;

namespace {

constexpr lane_value tx = thread_coordinate({32}, axis::x, 0);
constexpr lane_value row = thread_coordinate({8, 4}, axis::y, 0);

}  // namespace

static_assert(touched_bytes(tx, 4, 4, all_lanes) == 128 && touched_bytes(tx, 4, 4, 0xff) == 32);
static_assert(touched_bytes(constant(5), 4, 16, all_lanes) == 16 && touched_bytes(unknown(), 4, 4, all_lanes) == 0);
static_assert(touched_bytes(mul(row, stride()), 4, 4, all_lanes) == 16);
static_assert(offset_bytes(tx, 3)[5] == 15);
static_assert(base_divisor_bytes(mul(uniform(), constant(8)), 4, 256) == 32 && base_divisor_bytes(tx, 4, 16) == 16);

TEST_CASE("distinct bytes are those of a set") {
  std::mt19937 random{7};
  for (int round = 0; round < 2000; ++round) {
    const request r = brute_force::random_request(random);
    CHECK(touched_bytes(r) == brute_force::count_global(r).bytes);
  }
}
