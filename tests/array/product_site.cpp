#include <tg/array/product_site.hpp>

#include <doctest/doctest.h>

TEST_CASE("what products are summed in, and by how many threads") {
  static_assert(std::is_same_v<tg::detail::sum_of_products<tg::bf16>, float>);
  static_assert(std::is_same_v<tg::detail::sum_of_products<float>, float>);
  static_assert(std::is_same_v<tg::detail::sum_of_products<signed char>, int>);
  static_assert(tg::detail::product_threads<float> == 256 && tg::detail::product_threads<tg::f16> == 128);
  static_assert(tg::detail::has_products_across<tg::f16> && !tg::detail::has_products_across<tg::f8e4m3>);
  static_assert(tg::detail::product_tile_of(tg::detail::product_form::single).columns == 128);
  static_assert(tg::detail::product_tile_of(tg::detail::product_form::pair).products == 2);
}
