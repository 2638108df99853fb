#include <tg/analysis/struct_piece.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>

namespace {

namespace a = tg::analysis;

constexpr a::lane_value lanes = a::thread_coordinate({32, 1, 1}, a::axis::x, 0);

// The third float of structs of 16 bytes.
constexpr a::lane_value third = a::piece_index(lanes, 16, {8, 4});
static_assert(third.offset[0] == 2 && third.offset[1] == 6 && third.offset[31] == 126);
static_assert(a::piece_byte(lanes, 3, {1, 1}).offset[31] == 94);
// Unknown bases and strides count in pieces too.
static_assert(a::piece_index(a::add(lanes, a::uniform(256)), 16, {8, 4}).divisor == 1024);
static_assert(a::piece_index(a::mul(lanes, a::stride(8)), 16, {8, 4}).strides[0].coef[3] == 12);
static_assert(!a::piece_index(a::unknown(), 16, {8, 4}).known);

// A pixel of three bytes: each instruction touches as many sectors as all three together.
constexpr a::global_cost red = a::count_global(a::piece_index(lanes, 3, {0, 1}), 1, 1, 32, a::all_lanes);
constexpr a::global_cost pixel = a::count_global(lanes, 3, 3, 32, a::all_lanes);
static_assert(red.sectors == 3 && red.ideal_sectors == 1 && !red.good && red.fillable);
static_assert(pixel.sectors == 3 && pixel.ideal_sectors == 3 && pixel.good);

// Structs of 12 bytes in words: an odd stride has no conflicts.
static_assert(a::count_shared(a::piece_index(lanes, 12, {4, 4}), 4, 4, a::all_lanes).wavefronts == 1);
// 32 bytes in two pieces of 16: each quarter of a warp meets each bank group twice.
static_assert(a::count_shared(a::piece_index(lanes, 32, {16, 16}), 16, 16, a::all_lanes).wavefronts == 8);

}  // namespace

TEST_CASE("pieces of structs") {
  for (int l = 0; l < a::warp_lanes; ++l) CHECK(third.offset[static_cast<std::size_t>(l)] == 4 * l + 2);
}
