#include <tg/tile/diagnosis.hpp>

#include <doctest/doctest.h>

TEST_CASE("a diagnosis that holds is a complete type") {
  static_assert(sizeof(tg::diagnosis::fitting_tiles<true>) > 0);
  static_assert(sizeof(tg::diagnosis::tile_product<true>) > 0);
  CHECK(true);
}
