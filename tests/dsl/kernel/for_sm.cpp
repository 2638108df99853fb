#include <tg/dsl/kernel/for_sm.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/cluster/cluster_shape.hpp>

namespace {

template <class Shape> constexpr int sm_of(Shape) { return tg::detail::sm_of<Shape>; }

template <class Shape> constexpr bool has_all(Shape) {
  return Shape::threads == 128 && tg::detail::sm_of<Shape> == 90 && tg::detail::min_blocks_of<Shape> == 2 &&
         tg::detail::max_registers_of<Shape> == 64 && tg::detail::cluster_shape_of<Shape>.x == 2;
}

}  // namespace

TEST_CASE("a block says which architecture its kernel is meant for") {
  CHECK(sm_of(tg::block<128>) == 0);
  CHECK(sm_of(tg::block<128> | tg::for_sm<90>) == 90);
  CHECK(sm_of(tg::block<128> | tg::min_blocks<2> | tg::for_sm<80>) == 80);
}

TEST_CASE("the architecture stands before or behind bounds and clusters") {
  CHECK(has_all(tg::block<128> | tg::min_blocks<2> | tg::max_registers<64> | tg::cluster<2> | tg::for_sm<90>));
  CHECK(has_all(tg::block<128> | tg::for_sm<90> | tg::min_blocks<2> | tg::max_registers<64> | tg::cluster<2>));
}
