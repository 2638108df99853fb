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

namespace {

using namespace tg::literals;

enum class sum_of { product_last, product_first, two_products, added, product_alone };

/// x, of whose element in column c is c - 8 before, by a sum that reads x in its product with b, too.
template <sum_of What, int Sm>
constexpr auto reads_its_result =
    tg::kernel<"reads_its_result">(tg::block<128> | tg::for_sm<Sm>, [](auto block, tg::in2<tg::f16, tg::multiple_of<8>> b,
                                                                       tg::out2<float, tg::multiple_of<4>> y) {
      auto x = tg::zeros<float, 64, 64>(block);
      x += tg::cast<float>(tg::columns_of(x, 0u)) - 8.0f;
      const auto right = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(b, 64u, 64u), 0_c, 0_c));
      const auto product = [&](const auto& left) { return tg::dot(tg::cast<tg::f16>(left), right); };
      if constexpr (What == sum_of::product_last) x = x * 2.0f + product(x);
      else if constexpr (What == sum_of::product_first) x = product(x) + x * 2.0f;
      else if constexpr (What == sum_of::two_products) x = x * 2.0f + product(x + 1.0f) + product(x);
      else if constexpr (What == sum_of::added) x += x + product(x);
      else x += product(x);
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = x;
    });

template <sum_of What, int Sm = 80> unsigned count_wrong() {
  tg::device gpu;
  tiles::matrix<tg::f16> b(64, 64);
  for (unsigned k = 0; k < 64 * 64; ++k) b.elements[k] = tg::f16(static_cast<float>(k * 7 % 5) - 2);
  tiles::on_device<tg::f16> db(gpu, b);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(64, 64));
  gpu.launch(reads_its_result<What, Sm>, tg::grid(1), db.argument(), dy.argument());
  const tiles::matrix<float> y = dy.read();
  const tiles::matrix<tg::f16>& right = b;
  unsigned wrong = 0;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double product = 0, of_more = 0;  // of x + 1
      for (unsigned k = 0; k < 64; ++k) product += (k - 8.0) * right(k, c), of_more += (k - 7.0) * right(k, c);
      const double own = c - 8.0;
      const double more = What == sum_of::two_products ? of_more : 0;
      wrong += y(r, c) != (What == sum_of::product_alone ? own : 2 * own) + product + more;
    }
  return wrong;
}

}  // namespace

TEST_CASE("a tile is assigned a sum with a product that reads it") {
  CHECK(count_wrong<sum_of::product_last>() == 0);
  CHECK(count_wrong<sum_of::product_last, 90>() == 0);
  CHECK(count_wrong<sum_of::product_first>() == 0);
  CHECK(count_wrong<sum_of::two_products>() == 0);
  CHECK(count_wrong<sum_of::two_products, 90>() == 0);
  CHECK(count_wrong<sum_of::added>() == 0);
  CHECK(count_wrong<sum_of::product_alone>() == 0);
}
