#include <tg/analysis/tile_pattern.hpp>

#include <doctest/doctest.h>

#include <string>

using tg::tile_extents;
using tg::tile_place;

namespace {

constexpr tile_extents square{32, 32, 4};

template <class P> std::string places(tile_extents e) {
  std::string out;
  for (int lane : {0, 1, 5, 31}) {
    if (lane >= P::lanes) continue;
    const tile_place p = P::at(lane, e);
    out += std::to_string(p.row) + "," + std::to_string(p.column) + " ";
  }
  return out;
}

}  // namespace

static_assert(tg::tile_pattern<tg::row_access<4>> && !tg::tile_pattern<int>);
static_assert(tg::extents_of<tg::tile_of<double, 8, 16>>.element_bytes == 8);
static_assert(tg::matrix_access::bytes({8, 8, 2}) == 16 && tg::fragment_access<2>::bytes({8, 8, 4}) == 8);

TEST_CASE("patterns say where lanes begin") {
  CHECK(places<tg::row_access<>>(square) == "0,0 0,1 0,5 0,31 ");
  CHECK(places<tg::row_access<4>>(square) == "0,0 0,4 0,20 3,28 ");
  CHECK(places<tg::column_access<>>(square) == "0,0 1,0 5,0 31,0 ");
  CHECK(places<tg::column_access<4>>({16, 32, 4}) == "0,0 1,0 5,0 15,4 ");
  CHECK(places<tg::matrix_access>(square) == "0,0 1,0 5,0 ");
  CHECK(places<tg::fragment_access<>>(square) == "0,0 0,2 1,2 7,6 ");
  CHECK(places<tg::transposed_fragment_access<2>>(square) == "0,0 2,0 2,1 6,7 ");
}

TEST_CASE("lanes that begin outside the tile take no part") {
  CHECK(tg::to_tile_access<tg::row_access<>>({1, 16, 4}).active == 0xffffu);
  CHECK(tg::to_tile_access<tg::column_access<>>({4, 4, 4}).active == 0xffffu);
  CHECK(tg::to_tile_access<tg::matrix_access>(square).active == 0xffu);
  CHECK(tg::to_tile_access<tg::fragment_access<>>(square).active == 0xffffffffu);
}
