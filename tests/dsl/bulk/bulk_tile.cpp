#include <tg/dsl/bulk/bulk_tile.hpp>

#include <doctest/doctest.h>

namespace {

using tg::detail::bulk_tile_of, tg::detail::is_bulk_tile;
template <class T, class Shape, class Layout = void*> using tile = tg::tile<T, Shape, Layout>;
using stage = tg::stage_view<tile<float, tg::shape_t<12, 8>>, 4, tg::mode::write, tg::constant<0>>;

}  // namespace

TEST_CASE("tiles whose elements lie one behind the other are moved as they are") {
  static_assert(is_bulk_tile<tile<float, tg::shape_t<8, 4>>, float>());
  static_assert(is_bulk_tile<tile<float, tg::shape_t<8, 4>, tg::pitch_t<4>>, float>());
  static_assert(is_bulk_tile<stage, float>());
  static_assert(!is_bulk_tile<tile<float, tg::shape_t<8, 4>>, int>());
  static_assert(!is_bulk_tile<tile<float, tg::shape_t<8, 4>, tg::pitch_t<5>>, float>());
  static_assert(!is_bulk_tile<tile<float, tg::shape_t<8, 32>, tg::swizzle_t<3, 2, 3>>, float>());
  static_assert(!is_bulk_tile<tile<float, tg::shape_t<3>>, float>());
  static_assert(!is_bulk_tile<int, float>());
  static_assert(bulk_tile_of<stage>::facts::bytes == 128);
  static_assert(bulk_tile_of<tile<double, tg::shape_t<2, 3, 4>>>::facts::rows == 6);
  CHECK(bulk_tile_of<tile<double, tg::shape_t<2, 3, 4>>>::facts::bytes == 192);
}
