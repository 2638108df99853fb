#include <tg/dsl/memory/access_cost.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

namespace {

using block = tg::block_handle<tg::block_t<32, 8>>;
using x = decltype(block().thread.x);
using y = decltype(block().thread.y);
using column = decltype(block().global.x);

using plain = tg::tile<float, tg::shape_t<32, 32>, void*>;
using padded = tg::tile<float, tg::shape_t<32, 32>, tg::pitch_t<33>>;
using swizzled = tg::tile<float, tg::shape_t<32, 32>, tg::swizzle_t<5, 0, 5>>;
using vector = tg::in<float>;

// The contract of a transposing read, and what becomes of it when the swizzle is taken away.
template <class Tile> constexpr bool reads_columns_freely = tg::access_cost<Tile, x, y>.wavefronts == 1;

// The contract of a coalesced read, and what becomes of it when each lane skips an element.
template <class Index>
constexpr bool reads_whole_sectors = tg::access_cost<vector, Index>.ideal_sectors == 4 && tg::access_cost<vector, Index>.good;

}  // namespace

static_assert(reads_columns_freely<swizzled> && reads_columns_freely<padded> && !reads_columns_freely<plain>);
static_assert(tg::access_cost<plain, x, y>.ways == 32 && tg::access_cost<plain, y, x>.ways == 1);
static_assert(reads_whole_sectors<column> && !reads_whole_sectors<decltype(block().thread.x * 2_c)>);
static_assert(tg::access_cost<vector, x>.sectors == 4 + 1);  // a view promises 16 bytes, a sector has 32
static_assert(tg::vector_access_cost<4, vector, decltype(block().thread.x * 4_c)>.ideal_sectors == 16);
// The half warp is bad and moves 8 sectors; the whole one moves 16 and is good.
using unlike = decltype([](auto i) { return i * 4_c * (1_c + i / 32_c); }(tg::block_handle<tg::block_t<40>>().thread.x));
static_assert(tg::vector_access_cost<4, tg::in<float, tg::aligned<32>>, unlike>.sectors == 8);
static_assert(!tg::vector_access_cost<4, tg::in<float, tg::aligned<32>>, unlike>.good);
static_assert(!tg::access_cost<plain, int, x>.known && !tg::access_cost<vector, int>.known);

TEST_CASE("what is asserted of an access is what is recorded of it") {
  CHECK(tg::access_cost<plain, x, y>.wavefronts == 32);
  CHECK(tg::access_cost<const plain&, const y&, const x&>.wavefronts == 1);
}

// Extents of the type are strides of the type: four floats of each of 32 points are whole sectors, three are not aligned.
using points4 = tg::in2<float, tg::extents<tg::dynamic, 4>>;
using points3 = tg::in2<float, tg::extents<tg::dynamic, 3>>;
using point = tg::value<unsigned, tg::index::single<tg::index::thread<'x', 32, 1, 1>>>;
static_assert(tg::vector_access_cost<4, points4, point, tg::constant<0>>.good);
static_assert(tg::vector_access_cost<4, points4, point, tg::constant<0>>.ideal_sectors == 16);
static_assert(!tg::access_cost<points4, point, tg::constant<0>>.good && tg::access_cost<points4, point, tg::constant<0>>.known);
static_assert(tg::access_cost<points3, point, tg::constant<1>>.sectors == 13);
static_assert(!tg::access_cost<tg::in2<float>, point, tg::constant<0>>.good);
