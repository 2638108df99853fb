#include <tg/tile/dot.hpp>

#include "products.hpp"

using products::check_product, products::form;

TEST_CASE("products of tiles, in every form of their operands") {
  CHECK(check_product<tg::bf16, float, form::plain, form::plain>() <= 1);
  CHECK(check_product<tg::bf16, float, form::plain, form::transposed>() <= 1);
  CHECK(check_product<tg::f16, float, form::transposed, form::plain>() <= 1);
  CHECK(check_product<tg::f16, float, form::transposed, form::transposed>() <= 1);
  CHECK(check_product<tg::bf16, float, form::registers, form::transposed, 4, 1>() <= 1);
  CHECK(check_product<tg::f16, float, form::registers, form::plain, 2, 2>() <= 1);
  CHECK(check_product<tg::bf16, float, form::expression, form::plain, 4, 1>() <= 1);
  CHECK(check_product<tg::bf16, float, form::read, form::plain, 4, 1>() <= 1);
  CHECK(check_product<tg::f16, float, form::read, form::transposed, 2, 2>() <= 1);
  CHECK(check_product<tg::bf16, float, form::read, form::plain, 1, 4>() <= 1);
}

TEST_CASE("products of 8-bit and 32-bit types take their right operand by its depth") {
  CHECK(check_product<tg::tf32, float, form::plain, form::transposed>() <= 1);
  CHECK(check_product<tg::f8e4m3, float, form::plain, form::transposed>() <= 1);
  CHECK(check_product<signed char, int, form::plain, form::transposed>() <= 1);
}

TEST_CASE("an expression of 8-bit floats is a left operand") {
  CHECK(check_product<tg::f8e4m3, float, form::expression, form::transposed, 4, 1>() <= 1);
  CHECK(check_product<tg::f8e5m2, float, form::expression, form::transposed, 2, 1>() <= 1);
  CHECK(check_product<tg::f8e4m3, float, form::expression, form::transposed, 4, 1, form::transposed, 90>() <= 1);
  CHECK(check_product<tg::f8e4m3, float, form::registers, form::transposed, 4, 1>() <= 1);
}

TEST_CASE("a product with an operand the wrong way round is found") {
  CHECK(check_product<tg::bf16, float, form::plain, form::plain, 4, 1>() <= 1);
  CHECK(check_product<tg::bf16, float, form::plain, form::transposed, 4, 1, form::plain>() > 1);
}
