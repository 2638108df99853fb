#include <tg/analysis/lane_terms.hpp>

#include <doctest/doctest.h>

using namespace tg::analysis;

namespace {

constexpr lanes ramp = thread_coordinate({32}, axis::x, 0).offset;

constexpr lanes times(std::int64_t by) {
  lanes r = ramp;
  for (auto& c : r) c *= by;
  return r;
}

}  // namespace

static_assert([] {
  lane_value v = exact(ramp);
  add_base(v, 12, false);
  add_base(v, 0, true);
  add_base(v, 18, false);
  return v.divisor == 6 && !v.maybe_negative;
}());

TEST_CASE("a stride with one factor for all lanes is part of the base") {
  lane_value v = exact(ramp);
  lanes twos{};
  twos.fill(-2);
  add_stride(v, 5, twos, false);
  CHECK(v.stride_count == 0);
  CHECK(v.divisor == 10);
  CHECK(v.maybe_negative);
}

TEST_CASE("strides with the same factors are one, the fifth is too many") {
  lane_value v = exact(ramp);
  add_stride(v, 12, times(1), false);
  add_stride(v, 8, times(1), false);
  CHECK(v.stride_count == 1);
  CHECK(v.strides[0].divisor == 4);
  for (int k = 2; k <= 4; ++k) add_stride(v, 1, times(k), false);
  CHECK(v.stride_count == 4);
  CHECK(v.known);
  add_stride(v, 1, times(5), false);
  CHECK_FALSE(v.known);
}

TEST_CASE("a mask beside the offsets' bits becomes base, one within them stays") {
  lane_value v = exact(ramp);
  v.xor_bits = 0b1100000;
  move_mask_to_base(v);
  CHECK(v.xor_bits == 0);
  CHECK(v.divisor == 32);
  v.xor_bits = 0b1001000;
  move_mask_to_base(v);
  CHECK(v.xor_bits == 0b1000);
  CHECK(v.divisor == 32);

  lane_value same = constant(6);
  same.xor_bits = 6;
  move_mask_to_base(same);
  CHECK(is_uniform(same));
  CHECK(same.xor_bits == 0);
  CHECK(granularity(same) == 2);
}

TEST_CASE("a base becomes a mask unless some lane carries into it") {
  lane_value v = exact(ramp);
  v.divisor = 96;
  CHECK(move_base_to_mask(v));
  CHECK(v.divisor == 0);
  CHECK(v.xor_bits == (INT64_MAX & ~31));
  v = exact(ramp);
  v.divisor = 16;
  CHECK_FALSE(move_base_to_mask(v));
  CHECK(v.divisor == 16);
}

TEST_CASE("a clamped term is a part of the offset where no lane is at a bound, or a number for each group") {
  lane_value v = exact(times(3));
  add_stride(v, 2, ramp, false);
  add_stride(v, 4, times(2), false, lane_term::clamped);
  REQUIRE(v.stride_count == 2);
  CHECK(clamped_term(v) == 1);
  CHECK(interior(v).offset == times(5));
  CHECK(interior(v).stride_count == 1);
  group(v, 1);
  CHECK(v.strides[1].kind == lane_term::grouped);
  CHECK(v.strides[1].divisor == 2);
  add_stride(v, 3, times(2), false, lane_term::grouped);
  CHECK(v.stride_count == 2);
  CHECK(v.strides[1].divisor == 1);
  remove_stride(v, 0);
  CHECK(v.stride_count == 1);
  CHECK(v.strides[0].coef == times(2));
  CHECK(v.strides[1] == lane_stride{});
  CHECK(low_unit(uniform(12)) == 4);
  CHECK(low_unit(constant(12)) == 0);
}
