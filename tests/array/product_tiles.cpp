// The tiles of a program that has no compiled library: they are made in this file.
#include <tg/array/product_tiles.hpp>

#include <tg/array/matmul.hpp>

#include "../random_seed.hpp"
#include "matrices.hpp"

TEST_CASE("the tiles that a program compiles by itself") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const arrays::host a = arrays::random_numbers<tg::f16>({130, 40}, random),
                     b = arrays::random_numbers<tg::f16>({40, 72}, random);
  const tg::array<tg::f16, 2> da(gpu, {130, 40}, a.numbers), db(gpu, {40, 72}, b.numbers);
  void (*const own)(const tg::detail::product_site&) = tg::detail::record_product<tg::f16>;
  CHECK((own != nullptr));
  CHECK(arrays::excess_of_products(arrays::on_host(tg::eval(tg::matmul(da, db))), arrays::matmul(a, b), a, b) <= 1);
}
