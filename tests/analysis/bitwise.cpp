#include <tg/analysis/bitwise.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/arithmetic.hpp>

using namespace tg::analysis;

namespace {

constexpr lane_value tx = thread_coordinate({32, 8}, axis::x, 2);
constexpr lane_value ty = thread_coordinate({8, 32}, axis::y, 2);
constexpr lane_value i = add(mul(uniform(), constant(96)), tx);

}  // namespace

static_assert(bit_and(i, constant(31)) == tx && bit_and(i, constant(7)) == bit_and(tx, constant(7)));
static_assert(bit_and(i, constant(~3)).divisor == 96 && bit_and(i, constant(~3)).offset[7] == 4);
static_assert(bit_xor(i, constant(5)).divisor == 96 && bit_xor(i, constant(5)).offset[0] == 5);
static_assert(bit_or(i, constant(1)).divisor == 96 && bit_or(i, constant(1)).offset[2] == 3);
static_assert(bit_xor(tx, tx) == constant(0) && !bit_xor(tx, unknown()).known);

// A swizzle whose row is 8*u + ty: the unknown u only permutes words.
static_assert([] {
  const lane_value row = add(mul(uniform(), constant(8)), ty);
  const lane_value low = bit_and(row, constant(31));
  const lane_value col = bit_xor(thread_coordinate({8, 32}, axis::x, 2), low);
  return low.xor_bits == 24 && low.divisor == 0 && col.known && (col.xor_bits & 24) == 24;
}());

TEST_CASE("an unknown that all lanes share passes a mask as a mask") {
  const lane_value low = bit_and(uniform(4), constant(31));
  CHECK(is_uniform(low));
  CHECK(low.xor_bits == 28);
  CHECK(bit_or(low, constant(8)).xor_bits == 20);
  CHECK(bit_or(low, constant(8)).offset[0] == 8);
  CHECK(bit_xor(tx, low).xor_bits == 28);
  CHECK(bit_xor(tx, low).offset == tx.offset);
}

TEST_CASE("an unknown that only some lanes let through is unknown") {
  CHECK_FALSE(bit_and(uniform(), tx).known);
  CHECK_FALSE(bit_or(uniform(), tx).known);
  CHECK(bit_and(uniform(32), tx) == constant(0));
}

TEST_CASE("strides stay where the operation is below them") {
  const lane_value at = add(mul(ty, stride(8)), bit_and(tx, constant(7)));
  const lane_value swapped = bit_xor(at, constant(5));
  CHECK(swapped.stride_count == 1);
  CHECK(swapped.offset[3] == (3 ^ 5));
  CHECK(bit_and(at, constant(7)) == bit_and(tx, constant(7)));
  CHECK_FALSE(bit_xor(at, constant(8)).known);
}
