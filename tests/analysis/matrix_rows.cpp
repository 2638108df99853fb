#include <tg/analysis/matrix_rows.hpp>

#include <doctest/doctest.h>

#include "brute_force.hpp"

using namespace tg::analysis;

namespace {

/// Rows of `matrices` below each other in a tile with rows of `pitch_bytes`.
constexpr lanes rows_at(std::int64_t pitch_bytes) {
  lanes out{};
  for (unsigned l = 0; l < 32; ++l) out[l] = l * pitch_bytes;
  return out;
}

}  // namespace

static_assert(matrix_lanes(1) == 0xff && matrix_lanes(2) == 0xffff && matrix_lanes(4) == all_lanes);
static_assert(count_matrix_rows(rows_at(128), 4).ways == 8 && count_matrix_rows(rows_at(128), 4).wavefronts == 32);
static_assert(count_matrix_rows(rows_at(144), 4).good && count_matrix_rows(rows_at(144), 4).wavefronts == 4);

TEST_CASE("each matrix is a phase of its own") {
  for (const int matrices : {1, 2, 4})
    for (std::int64_t pitch = 16; pitch <= 512; pitch += 16) {
      CAPTURE(matrices);
      CAPTURE(pitch);
      const shared_cost cost = count_matrix_rows(rows_at(pitch), matrices);
      // Row r begins in the bank group (r * pitch / 16) % 8.
      const auto step = pitch / 16;
      const auto ways = gcd(step, 8);
      CHECK(cost.ways == ways);
      CHECK(cost.wavefronts == ways * matrices);
      CHECK(cost.ideal_wavefronts == matrices);
      const auto slow = brute_force::count_shared({rows_at(pitch), matrix_lanes(matrices), 16});
      CHECK(slow.wavefronts == cost.wavefronts);
    }
}

TEST_CASE("lanes past the last matrix give nothing") {
  lanes at = rows_at(16);
  for (unsigned l = 8; l < 32; ++l) at[l] = 128 * l;
  CHECK(count_matrix_rows(at, 1).good);
  CHECK(!count_matrix_rows(at, 2).good);
}

TEST_CASE("rows by index, at a base that every lane shares") {
  const lane_value row = thread_coordinate({32}, axis::x, 0);
  lane_value index = row;
  for (auto& o : index.offset) o *= 72;
  index.divisor = 8;
  CHECK(count_matrix_rows(index, 2, 4).good);
  for (std::size_t l = 0; l < 32; ++l) index.offset[l] = row.offset[l] * 64;
  CHECK(count_matrix_rows(index, 2, 4).ways == 8);
}
