#include <tg/emulator/matrix/fragment_layout.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace tg::emulator;

/// Every place of the matrix is held exactly once.
void check_whole(fragment_layout layout, std::size_t count) {
  REQUIRE_EQ(layout.size(), count);
  std::sort(layout.begin(), layout.end());
  for (std::size_t k = 0; k < count; ++k) REQUIRE_EQ(layout[k], k);
}

}  // namespace

TEST_CASE("every element lies in one lane, in all layouts") {
  for (const std::size_t m : {std::size_t{8}, std::size_t{16}, std::size_t{32}, std::size_t{64}})
    for (const std::size_t packed : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8}, std::size_t{32}})
      for (const std::size_t k : {4 * packed, 8 * packed, 16 * packed}) {
        const matrix_shape s{m, m, k};
        check_whole(layout_of_a(s, packed), m * k);
        check_whole(layout_of_b(s, packed), m * k);
        for (const bool by_row : {true, false}) check_whole(layout_by_memory(m, k, by_row, packed), m * k);
      }
  for (const std::size_t n : {std::size_t{8}, std::size_t{32}, std::size_t{256}}) check_whole(layout_of_c({16, n, 4}), 16 * n);
  for (const bool by_row : {true, false}) {
    check_whole(quad_pair::a(by_row), 128);
    check_whole(quad_pair::b(by_row), 128);
  }
  check_whole(quad_pair::c_f16(), 256);
  check_whole(quad_pair::c_f32(), 256);
}

TEST_CASE("the registers of m16n8k16 are those of the manual's picture") {
  const fragment_layout a = layout_of_a({16, 8, 16}, 2), b = layout_of_b({16, 8, 16}, 2), c = layout_of_c({16, 8, 16});
  const std::size_t lane = 6;  // group 1, thread 2 of it
  CHECK_EQ(a[0 * 32 + lane], 1 * 16 + 4);
  CHECK_EQ(a[3 * 32 + lane], 9 * 16 + 5);
  CHECK_EQ(a[4 * 32 + lane], 1 * 16 + 12);
  CHECK_EQ(a[7 * 32 + lane], 9 * 16 + 13);
  CHECK_EQ(b[1 * 32 + lane], 5 * 8 + 1);
  CHECK_EQ(b[2 * 32 + lane], 12 * 8 + 1);
  CHECK_EQ(c[1 * 32 + lane], 1 * 8 + 5);
  CHECK_EQ(c[2 * 32 + lane], 9 * 8 + 4);
}
