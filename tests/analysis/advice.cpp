#include <tg/analysis/advice.hpp>

#include <doctest/doctest.h>

#include <tg/layout/swizzle.hpp>

using namespace tg::analysis;

namespace {

constexpr lanes ramp = thread_coordinate({32}, axis::x, 0).offset;

constexpr tile_access column(int rows, int cols, int elem_bytes) {
  return {ramp, {}, all_lanes, rows, cols, elem_bytes, elem_bytes};
}

/// 16-byte vectors down a column of vectors.
constexpr tile_access vector_column(int cols) { return {ramp, {}, all_lanes, 32, cols, 4, 16}; }

int wavefronts_over_ideal(const tile_access& access, int pitch, swizzle_bits swizzle) {
  request r{{}, access.active, access.access_bytes};
  for (unsigned l = 0; l < 32; ++l)
    r.address_bytes[l] = swizzle.apply(access.row[l] * pitch + access.col[l]) * access.elem_bytes;
  const shared_cost c = count_shared(r);
  return c.wavefronts - c.ideal_wavefronts;
}

}  // namespace

static_assert(try_pitch(column(32, 32, 4)) == 33);
static_assert(try_swizzle(column(32, 32, 4)) == swizzle_bits{5, 0, 5});
static_assert(swizzle_bits{5, 0, 5}.apply(1234) == tg::swizzle<5, 0, 5>.apply(1234));

TEST_CASE("the advice works, and no smaller pitch would") {
  for (const int elem_bytes : {1, 2, 4, 8})
    for (const int cols : {8, 16, 32, 64, 128}) {
      const tile_access access = column(32, cols, elem_bytes);
      CAPTURE(elem_bytes);
      CAPTURE(cols);
      const int pitch = try_pitch(access);
      REQUIRE(pitch >= cols);
      CHECK(wavefronts_over_ideal(access, pitch, {}) == 0);
      for (int less = cols; less < pitch; ++less) CHECK(wavefronts_over_ideal(access, less, {}) > 0);
      const swizzle_bits swizzle = try_swizzle(access);
      if (swizzle.bits > 0) CHECK(wavefronts_over_ideal(access, cols, swizzle) == 0);
      if (elem_bytes >= 4 && cols >= 32) CHECK(swizzle.bits > 0);
    }
}

TEST_CASE("vectors stay whole") {
  const tile_access access = vector_column(32);
  CHECK(try_pitch(access) == 36);
  const swizzle_bits swizzle = try_swizzle(access);
  CHECK(swizzle == swizzle_bits{3, 2, 3});
  CHECK(wavefronts_over_ideal(access, 32, swizzle) == 0);
}

TEST_CASE("no swizzle where rows are no power of two or no bits are left") {
  CHECK(try_swizzle(column(32, 33, 4)).bits == 0);
  CHECK(try_swizzle(column(1, 32, 4)).bits == 0);
}
