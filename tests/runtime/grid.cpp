#include <tg/runtime/grid.hpp>

#include <cstddef>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::runtime::block_counts;
using tg::runtime::to_blocks;

namespace {

constexpr tg::fixed_array<std::uint32_t, 3> limit{0x7fffffff, 65535, 65535};
constexpr tg::fixed_array<std::uint32_t, 3> line{256, 1, 1}, square{16, 8, 1};

}  // namespace

TEST_CASE("cover rounds up to whole blocks, grid counts blocks") {
  CHECK(to_blocks(tg::cover(1), line, limit) == block_counts{1, 1, 1});
  CHECK(to_blocks(tg::cover(256), line, limit) == block_counts{1, 1, 1});
  CHECK(to_blocks(tg::cover(257), line, limit) == block_counts{2, 1, 1});
  CHECK(to_blocks(tg::cover(std::size_t{0x7fffffff} * 256), line, limit) == block_counts{0x7fffffff, 1, 1});
  CHECK(to_blocks(tg::cover(17, 17), square, limit) == block_counts{2, 3, 1});
  CHECK(to_blocks(tg::grid(5), line, limit) == block_counts{5, 1, 1});
  CHECK(to_blocks(tg::grid(5, 6), line, limit) == block_counts{5, 6, 1});
  CHECK(to_blocks(tg::grid(5, 6u, 7l), line, limit) == block_counts{5, 6, 7});
}

TEST_CASE("an empty grid and one beyond the limits are refused, with the line") {
  const auto zero = error_of([] { to_blocks(tg::cover(0), line, limit); });
  CHECK(zero.number == 521);
  CHECK(zero.says("0 elements along x in blocks of 256"));
  CHECK(zero.says("grid.cpp:"));
  CHECK(error_of([] { to_blocks(tg::cover(-5), line, limit); }).says("-5 elements along x"));
  CHECK(error_of([] { to_blocks(tg::cover(5, 0), square, limit); }).says("0 elements along y in blocks of 8"));
  CHECK(error_of([] { to_blocks(tg::grid(1, 65536), line, limit); }).says("65536 blocks along y; the grid has 1 to 65535"));
  CHECK(error_of([] { to_blocks(tg::grid(1, 1, 0), line, limit); }).number == 521);
  CHECK(error_of([] { to_blocks(tg::grid(0x80000000u), line, limit); }).number == 521);
  CHECK(error_of([] { to_blocks(tg::cover(std::size_t{0x7fffffff} * 256 + 1), line, limit); }).number == 521);
  CHECK(error_of([] { to_blocks(tg::cover(~std::uint64_t{0}), line, limit); }).number == 521);
}
